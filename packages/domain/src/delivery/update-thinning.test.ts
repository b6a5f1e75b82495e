import type { ItemStatus } from '@liminal/contracts';
import { expect, test } from 'vitest';
import type { ChangeBody } from './change.ts';
import { createUpdateThinning } from './update-thinning.ts';

const at = '2026-01-01T00:00:00.000Z';
const base = { turnId: 't', sessionId: 's', itemId: 't:1:0', sourceTimestamp: at, emittedAt: at };
const key = 'item:t:1:0';

const grown = (text: string, status: ItemStatus = 'update'): ChangeBody => ({
  type: 'session:upsert',
  payload: { type: 'message', ...base, status, content: text, origin: 'agent' },
  appended: { appendedFrom: 0, text },
});
const turnEnd: ChangeBody = {
  type: 'session:turn',
  payload: { type: 'turn_complete', turnId: 't', sessionId: 's', status: 'cancelled' },
};

test('holds growth until there are more tokens than the step', () => {
  const thinning = createUpdateThinning([2, 3]);
  expect(['a ', 'b ', 'c ', 'd ', 'e ', 'f ', 'g '].map((text) => thinning.mayWait(key, grown(text)))).toEqual([
    true,
    true,
    false,
    true,
    true,
    true,
    false,
  ]);
});

test('holds only growth: a first state, an end, a replaced text and everything else is sent at once', () => {
  const thinning = createUpdateThinning();
  expect(thinning.mayWait(key, grown('a', 'create'))).toBe(false);
  expect(thinning.mayWait(key, grown('a', 'complete'))).toBe(false);
  expect(thinning.mayWait(key, grown('a', 'error'))).toBe(false);
  expect(thinning.mayWait(key, { type: 'session:upsert', payload: grown('a').payload } as ChangeBody)).toBe(false);
  expect(thinning.mayWait('turn:t:end', turnEnd)).toBe(false);
});

test('doesn’t count text that was sent for another reason', () => {
  const thinning = createUpdateThinning([2]);
  thinning.mayWait(key, grown('a b '));
  thinning.sent(key);
  expect(thinning.mayWait(key, grown('c d '))).toBe(true);
  expect(thinning.mayWait(key, grown('e '))).toBe(false);
});

test('forgets the steps of a turn’s items when the turn ends', () => {
  const thinning = createUpdateThinning([1, 100]);
  expect(thinning.mayWait(key, grown('a b '))).toBe(false);
  thinning.mayWait('turn:t:end', turnEnd);
  expect(thinning.mayWait(key, grown('a b '))).toBe(false);
});
