import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Change, type ChangeBody, keyOf } from './change.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createScriptedSession } from './testing/scripted-session.ts';

const status = (isAlive: boolean): ChangeBody => ({
  type: 'session:status',
  payload: { state: 'open', activity: 'idle', isAlive },
});
const info = (title: string): ChangeBody => ({ type: 'session:info', payload: { title } });

const steps = fc.array(fc.record({ what: fc.nat(11), which: fc.nat(9), size: fc.nat(30) }), {
  maxLength: 120,
  size: 'max',
});

/** The state of a reader that only knows that newer states replace older ones. */
const read = (changes: readonly Change[]): Record<string, unknown> =>
  Object.fromEntries(changes.map(({ body }) => [keyOf(body), body.payload]));

describe('changesSince', () => {
  test('brings a reader cut off at any number to the same state as one who saw everything', () => {
    fc.assert(
      fc.property(steps, fc.nat(), (script, somewhere) => {
        const ledger = createLedger('e1');
        const session = createScriptedSession();
        const all = script.flatMap((step) => session(step) ?? []).map((body) => ledger.record(body));
        const cursor = all.length === 0 ? 0 : somewhere % (all.length + 1);
        const since = ledger.changesSince(cursor) ?? [];
        expect(read([...all.slice(0, cursor), ...since])).toEqual(read(all));

        const seqs = since.map((change) => change.seq);
        expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
        expect(seqs.every((seq) => seq > cursor)).toBe(true);
        expect(new Set(since.map((change) => keyOf(change.body))).size).toBe(since.length);
        expect(since.some(({ body }) => body.type === 'session:upsert' && body.appended)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  test('has no answer for a future cursor, or one from before its first number', () => {
    const ledger = createLedger('e1', 10);
    ledger.record(status(true));
    expect(ledger.changesSince(12)).toBeNull();
    expect(ledger.changesSince(9)).toBeNull();
    expect(ledger.changesSince(11)).toEqual([]);
    expect(ledger.changesSince(10)).toEqual([{ seq: 11, body: status(true) }]);
  });

  test('looks only at what changed', () => {
    const ledger = createLedger('e1');
    const looked: string[] = [];
    for (let at = 0; at < 1000; at += 1) {
      const request = { requestId: `r${at}`, turnId: 't', kind: 'tool' as const, title: '', options: [], openedAt: '' };
      ledger.record({ type: 'session:permission', payload: { state: 'open', request } });
      ledger.release(`permission:r${at}`);
    }
    for (let at = 0; at < 5000; at += 1) ledger.record(status(at % 2 === 0));
    ledger.record(info('new'));
    const resolve = (key: string): undefined => void looked.push(key);
    expect(ledger.changesSince(1000, resolve)?.map((change) => change.seq)).toEqual([6000, 6001]);
    expect(looked).toEqual([]);
  });
});

describe('released and forgotten states', () => {
  test('keeps the number of a released state and resolves it elsewhere', () => {
    const ledger = createLedger('e1');
    ledger.record(info('kept elsewhere'));
    ledger.record(status(true));
    ledger.release('info');
    expect(ledger.newest('info')).toBeUndefined();
    expect(ledger.changesSince(0)).toBeNull();
    expect(ledger.changesSince(0, () => info('kept elsewhere'))).toEqual([
      { seq: 1, body: info('kept elsewhere') },
      { seq: 2, body: status(true) },
    ]);
    expect(ledger.changesSince(1)).toEqual([{ seq: 2, body: status(true) }]);
  });

  test('doesn’t resend a forgotten thing, and has no answer for a reader who may have missed its last state', () => {
    const ledger = createLedger('e1');
    ledger.record(status(true));
    ledger.record(info('old'));
    ledger.record(status(false));
    ledger.forget('info');
    ledger.forget('nothing of the kind');
    expect(ledger.changesSince(1)).toBeNull();
    expect(ledger.changesSince(2)).toEqual([{ seq: 3, body: status(false) }]);
  });
});

test('gives a repeated state a new number and sends it in full', () => {
  const ledger = createLedger('e1');
  ledger.record(info('a'));
  ledger.record(status(true));
  expect(ledger.repeat('info')).toEqual({ seq: 3, body: info('a') });
  expect(ledger.repeat('queue')).toBeUndefined();
  expect(ledger.seq).toBe(3);
  expect(ledger.changesSince(2)).toEqual([{ seq: 3, body: info('a') }]);
  ledger.release('info');
  expect(ledger.repeat('info', () => info('a'))).toEqual({ seq: 4, body: info('a') });
});

describe('permission requests', () => {
  const idOf = (at: number): string => `r${String(at).padStart(4, '0')}`;
  const notice = (at: number, state: 'open' | 'ended', title = 'Run the tests'): ChangeBody => {
    const request = { requestId: idOf(at), turnId: 't', kind: 'tool' as const, title, options: [], openedAt: '' };
    return { type: 'session:permission', payload: { state, request } };
  };
  const askedAndClosed = (ledger: Ledger, count: number, title?: string): string[] => {
    for (let at = 0; at < count; at += 1) {
      ledger.record(notice(at, 'open', title));
      ledger.record(notice(at, 'ended', title));
    }
    const keys = Array.from({ length: count }, (_, at) => `permission:${idOf(at)}`);
    return keys.filter((key) => ledger.newest(key) !== undefined);
  };

  test('keeps only recently closed requests, however many there were', () => {
    const [some, many] = [askedAndClosed(createLedger('e1'), 1_000), askedAndClosed(createLedger('e1'), 5_000)];
    expect(some.length).toBeGreaterThan(0);
    expect(many.length).toBe(some.length);
    expect(askedAndClosed(createLedger('e1'), 100, 'x'.repeat(1_000_000))).toEqual([]);
  });

  test('keeps an open request, however many were closed meanwhile', () => {
    const ledger = createLedger('e1');
    ledger.record(notice(9_999, 'open'));
    askedAndClosed(ledger, 5_000);
    expect(ledger.newest(`permission:${idOf(9_999)}`)).toEqual({ seq: 1, body: notice(9_999, 'open') });
  });

  test('sends a reader the changes it missed while they are kept; otherwise the reader starts over', () => {
    const ledger = createLedger('e1');
    askedAndClosed(ledger, 1_000);
    expect(ledger.changesSince(ledger.seq - 4)?.map(({ body }) => body)).toEqual([
      notice(998, 'ended'),
      notice(999, 'ended'),
    ]);
    expect(ledger.changesSince(4)).toBeNull();
  });
});
