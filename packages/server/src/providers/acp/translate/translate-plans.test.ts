import type { UpsertObject } from '@liminal/contracts';
import { expect, test } from 'vitest';
import { sort } from '../testing/updates.ts';
import { createTranslator } from './translate.ts';

/** The last state of each item that these updates create in one turn. */
function itemsOf(updates: readonly object[]): UpsertObject[] {
  const translator = createTranslator({ sessionId: 's', providerId: 'p' });
  translator.startTurn({ turnId: 't' }, 0);
  const emissions = [
    ...updates.flatMap((raw) => translator.update(raw, 1).emissions),
    ...translator.endTurn({ response: { stopReason: 'end_turn' } }, 2).emissions,
  ];
  return sort(emissions).items;
}
const call = { sessionUpdate: 'tool_call', toolCallId: 'c' };

test('a text plan grows when text is added, and is replaced when it changes', () => {
  const plan = (content: string): object => ({
    sessionUpdate: 'plan_update',
    plan: { type: 'markdown', planId: 'p', content },
  });
  const items = itemsOf([plan('# A'), plan('# A\n1'), call, plan('# A\n1'), plan('# B')]);
  expect(items.flatMap((item) => (item.type === 'message' ? [item.content] : []))).toEqual(['# A\n1', '# B']);
});

test('a plan update that is a list is the plan', () => {
  const entries = [{ content: 'a', status: 'in_progress' }];
  const items = itemsOf([{ sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'p', entries } }]);
  expect(items).toMatchObject([{ type: 'plan', entries }]);
});
