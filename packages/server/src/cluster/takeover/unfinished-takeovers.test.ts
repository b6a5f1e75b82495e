import { describe, expect, it, vi } from 'vitest';
import { createMemoryStore } from '../../store/memory/memory-store.ts';
import { createUnfinishedTakeovers } from './unfinished-takeovers.ts';

/** Takeovers recorded in one store. Each call of `start` is another run of the server. */
function setup() {
  const store = createMemoryStore();
  const giveBack = vi.fn(async (_sessionId: string, _nodeId: string) => {});
  const start = () => createUnfinishedTakeovers({ store, ownership: { giveBack } });
  const record = (run: ReturnType<typeof start>, task: () => Promise<boolean>) =>
    run.record('s', 'gone', task, (isDone) => isDone);
  return { start, record, giveBack };
}

describe('a takeover', () => {
  it('that the server didn’t survive is undone after the next join', async () => {
    const { start, record, giveBack } = setup();
    void record(start(), () => new Promise(() => {}));
    await new Promise(setImmediate);
    const next = start();
    expect(next.has('s')).toBe(true);
    await next.giveBackAll();
    expect(giveBack.mock.calls).toEqual([['s', 'gone']]);
    expect([next.has('s'), start().has('s')]).toEqual([false, false]);
  });

  it('that failed is undone at once, or after the next join if that isn’t possible', async () => {
    const { start, record, giveBack } = setup();
    const run = start();
    expect(await record(run, async () => false)).toBe(false);
    expect([giveBack.mock.calls.length, run.has('s')]).toEqual([1, false]);
    giveBack.mockRejectedValueOnce(new Error('The connection broke.'));
    await expect(record(run, () => Promise.reject(new Error('It failed.')))).rejects.toThrow('It failed.');
    expect([giveBack.mock.calls.length, run.has('s')]).toEqual([2, true]);
    await run.giveBackAll();
    expect([giveBack.mock.calls.length, run.has('s')]).toEqual([3, false]);
  });

  it('that is under way or has succeeded is left alone', async () => {
    const { start, record, giveBack } = setup();
    const run = start();
    const gate = Promise.withResolvers<boolean>();
    const taken = record(run, () => gate.promise);
    await run.giveBackAll();
    expect(run.has('s')).toBe(true);
    gate.resolve(true);
    await taken;
    expect([giveBack.mock.calls, run.has('s'), start().has('s')]).toEqual([[], false, false]);
  });
});
