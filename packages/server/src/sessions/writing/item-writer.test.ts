import { describe, expect, it, vi } from 'vitest';
import { createMemoryStore } from '../../store/memory/memory-store.ts';
import type { StoreWrite } from '../../store/rows.ts';
import { itemRow, sessionRow, turnRow } from '../../store/testing/sample-rows.ts';
import type { Store } from '../../store/store.ts';
import { sessionOfWrite } from '../../store/write-identity.ts';
import { createItemWriter, type ItemWriterDeps } from './item-writer.ts';

const ofSession = (sessionId: string, itemId: string, content = 'text') => ({
  ...itemRow(itemId, 0, content),
  sessionId,
});

/** An in-memory store that counts its writes and can make them fail or wait. */
function troubledStore(refuses: (write: StoreWrite) => boolean = () => false) {
  const memory = createMemoryStore();
  const calls: (readonly StoreWrite[])[] = [];
  const control = { refuses, gate: Promise.resolve() };
  const store: Store = {
    ...memory,
    async write(writes) {
      calls.push(writes);
      await control.gate;
      if (writes.some(control.refuses)) throw new Error('disk full');
      await memory.write(writes);
    },
  };
  return { store, calls, control };
}

function writerOn(store: Store, deps: Partial<ItemWriterDeps> = {}) {
  const errors: unknown[] = [];
  const troubles: [string, boolean][] = [];
  const writer = createItemWriter({
    store,
    intervalMs: 5,
    retryMs: 5,
    onError: (error) => errors.push(error),
    onTrouble: (sessionId, error) => troubles.push([sessionId, error !== null]),
    ...deps,
  });
  return { writer, errors, troubles };
}

/** A busy machine must not fail a test. */
const patience = { timeout: 15_000 };

describe('writing behind', () => {
  it('writes only the newest state of a row, however often it changed', async () => {
    const { store, calls } = troubledStore();
    const { writer } = writerOn(store);
    for (let round = 0; round < 100; round += 1) {
      writer.put(itemRow('t:1:0', 0, `text ${round}`), false);
      writer.add({ type: 'put-turn', row: turnRow('t', { state: 'running', position: round }) });
    }
    await writer.flush();
    expect(calls.flat()).toHaveLength(2);
    expect(store.item('s', 't:1:0')?.body).toMatchObject({ content: 'text 99' });
  });

  it('gives rows from different times their own commits, so no burst blocks the CPU', async () => {
    vi.useFakeTimers();
    try {
      const { store, calls, control } = troubledStore(() => true);
      const { writer } = writerOn(store, { intervalMs: 500, retryMs: 10_000 });
      const written = () => calls.map((writes) => writes.map((write) => sessionOfWrite(write)));
      writer.put(ofSession('resting', 't:1:0'), false);
      await vi.advanceTimersByTimeAsync(500);
      control.refuses = () => false;
      calls.length = 0;

      writer.put(ofSession('a', 't:1:0', 'one'), false);
      await vi.advanceTimersByTimeAsync(3);
      writer.put(ofSession('b', 't:1:0'), false);
      await vi.advanceTimersByTimeAsync(197);
      writer.put(ofSession('c', 't:1:0'), false);
      await vi.advanceTimersByTimeAsync(290);
      writer.put(ofSession('a', 't:1:0', 'two'), false);
      expect(written()).toEqual([]);
      await vi.advanceTimersByTimeAsync(10);
      expect(written()).toEqual([['a'], ['b']]);
      expect(store.item('a', 't:1:0')?.body).toMatchObject({ content: 'two' });
      await vi.advanceTimersByTimeAsync(199);
      expect(written()).toHaveLength(2);
      await vi.advanceTimersByTimeAsync(1);
      expect(written()).toEqual([['a'], ['b'], ['c']]);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(written().at(-1)).toEqual(['resting']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('writes finished items immediately, even if something else is due at the same time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    try {
      const { store, calls } = troubledStore();
      const { writer } = writerOn(store, { intervalMs: 500 });
      writer.put(ofSession('a', 't:1:0'), false);
      vi.advanceTimersByTime(499);
      writer.put(ofSession('b', 't:1:0'), true);
      vi.advanceTimersByTime(1);
      await new Promise(setImmediate);
      expect(calls.flat().map(sessionOfWrite)).toEqual(['a', 'b']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('retries until the disk accepts the write, reports the failure meanwhile, and loses nothing', async () => {
    const { store, control } = troubledStore(() => true);
    const { writer, errors, troubles } = writerOn(store);
    writer.put(itemRow('t:1:0', 0, 'first'), true);
    await vi.waitFor(() => expect(errors.length).toBeGreaterThan(2), patience);
    writer.put(itemRow('t:1:0', 0, 'second'), true);
    writer.put(itemRow('t:2:0', 1, 'other'), true);
    await expect(writer.flush('s')).rejects.toThrow('disk full');
    control.refuses = () => false;
    await vi.waitFor(() => expect(store.item('s', 't:2:0')).toBeDefined(), patience);
    expect(store.item('s', 't:1:0')?.body).toMatchObject({ content: 'second' });
    expect([troubles[0], troubles.at(-1)]).toEqual([
      ['s', true],
      ['s', false],
    ]);
  });

  it('writes everything else while one row of one session cannot be written', async () => {
    const { store } = troubledStore((write) => write.type === 'put-item' && write.row.itemId === 'bad:1:0');
    const { writer, troubles } = writerOn(store);
    writer.put(itemRow('bad:1:0', 0), true);
    writer.put(itemRow('t:1:0', 1), true);
    writer.put(ofSession('s2', 't:1:0'), true);
    await vi.waitFor(() => expect(store.item('s2', 't:1:0')).toBeDefined(), patience);
    await vi.waitFor(() => expect(store.item('s', 't:1:0')).toBeDefined(), patience);
    expect(troubles.every(([sessionId]) => sessionId === 's')).toBe(true);
    await writer.flush('s2');
    await writer.close();
  });

  it('never writes an older waiting state after what a user did', async () => {
    const { store } = troubledStore();
    const { writer } = writerOn(store);
    const released = vi.fn();
    writer.add({ type: 'put-session', row: { ...sessionRow('s'), title: 'of the agent' } }, released);
    await writer.write([{ type: 'put-session', row: { ...sessionRow('s'), title: 'of the person' } }]);
    await writer.flush();
    expect(store.session('s')?.title).toBe('of the person');
    expect(released).toHaveBeenCalledOnce();
  });

  it('writes what an agent did before what the user did after it', async () => {
    const { store, calls } = troubledStore();
    const { writer } = writerOn(store);
    writer.add({ type: 'put-turn', row: turnRow('first', { state: 'completed', position: 0 }) });
    await writer.write([{ type: 'put-turn', row: turnRow('second', { state: 'sending', position: 1 }) }]);
    expect(calls.flat().map((write) => write.type === 'put-turn' && write.row.turnId)).toEqual(['first', 'second']);
  });

  it('does so even while other rows are being written, and without waiting for them', async () => {
    const { store, calls, control } = troubledStore();
    const gate = Promise.withResolvers<void>();
    control.gate = gate.promise;
    const { writer } = writerOn(store);
    writer.put(itemRow('first:1:0', 0), true);
    await new Promise(setImmediate);
    writer.add({ type: 'put-turn', row: turnRow('first', { state: 'completed', position: 0 }) });
    writer.put(ofSession('s2', 't:1:0'), true);
    const written = writer.write([{ type: 'put-turn', row: turnRow('second', { state: 'sending', position: 1 }) }]);
    expect(calls.flat().map((write) => (write.type === 'put-turn' ? write.row.turnId : write.type))).toEqual([
      'put-item',
      'first',
      'second',
    ]);
    gate.resolve();
    await written;
    await writer.flush();
    expect(store.item('s2', 't:1:0')).toBeDefined();
  });

  it('does not retry an older state that failed beside a newer one', async () => {
    const { store, control } = troubledStore((write) => write.type === 'put-turn' && write.row.state === 'running');
    const gate = Promise.withResolvers<void>();
    control.gate = gate.promise;
    const { writer, errors } = writerOn(store);
    writer.add({ type: 'put-turn', row: turnRow('first', { state: 'running', position: 0 }) });
    await new Promise(setImmediate);
    writer.add({ type: 'put-turn', row: turnRow('first', { state: 'completed', position: 0 }) });
    const written = writer.write([{ type: 'put-turn', row: turnRow('second', { state: 'sending', position: 1 }) }]);
    gate.resolve();
    await written;
    await vi.waitFor(() => expect(errors).toHaveLength(1), patience);
    control.refuses = () => false;
    await writer.flush();
    expect([store.turn('s', 'first')?.state, store.turn('s', 'second')?.state]).toEqual(['completed', 'sending']);
  });

  it('does not retry an older state that failed while a user wrote a newer one', async () => {
    const { store, control } = troubledStore((write) => write.type === 'put-session' && write.row.title === 'old');
    const gate = Promise.withResolvers<void>();
    control.gate = gate.promise;
    const { writer, errors } = writerOn(store);
    const released = vi.fn();
    writer.add({ type: 'put-session', row: { ...sessionRow('s'), title: 'old' } }, released);
    await new Promise(setImmediate);
    const written = writer.write([{ type: 'put-session', row: { ...sessionRow('s'), title: 'new' } }]);
    gate.resolve();
    await written;
    await vi.waitFor(() => expect(errors).toHaveLength(1), patience);
    control.refuses = () => false;
    await writer.close();
    expect(store.session('s')?.title).toBe('new');
    expect(released).toHaveBeenCalledOnce();
  });

  it('recovers once the user has written a newer state of everything that failed', async () => {
    const { store, control } = troubledStore(() => true);
    const { writer, troubles } = writerOn(store);
    writer.add({ type: 'put-session', row: { ...sessionRow('s'), title: 'of the agent' } });
    await vi.waitFor(() => expect(troubles).toContainEqual(['s', true]), patience);
    control.refuses = () => false;
    await writer.write([{ type: 'put-session', row: { ...sessionRow('s'), title: 'of the person' } }]);
    await vi.waitFor(() => expect(troubles.at(-1)).toEqual(['s', false]), patience);
    await writer.flush('s');
  });

  it("keeps the agent's output when a user's write failed", async () => {
    const { store } = troubledStore((write) => write.type === 'put-session' && write.row.title === 'of the person');
    const { writer } = writerOn(store);
    writer.add({ type: 'put-session', row: { ...sessionRow('s'), title: 'of the agent' } });
    const refused = writer.write([{ type: 'put-session', row: { ...sessionRow('s'), title: 'of the person' } }]);
    await expect(refused).rejects.toThrow('disk full');
    await writer.flush();
    expect(store.session('s')?.title).toBe('of the agent');
  });

  it('never restores anything of a removed session', async () => {
    const { store } = troubledStore();
    const { writer } = writerOn(store);
    writer.add({ type: 'put-session', row: sessionRow('s') });
    writer.put(itemRow('t:1:0', 0), false);
    writer.put(ofSession('s2', 't:1:0'), false);
    await writer.write([{ type: 'remove-session', sessionId: 's' }]);
    await writer.flush();
    expect([store.session('s'), store.item('s', 't:1:0')]).toEqual([undefined, undefined]);
    expect(store.item('s2', 't:1:0')).toBeDefined();
  });

  it("does not write a session's failed rows once it was removed", async () => {
    const { store, control } = troubledStore((write) => write.type !== 'remove-session');
    const { writer, errors, troubles } = writerOn(store);
    writer.put(itemRow('t:1:0', 0), true);
    await vi.waitFor(() => expect(errors).not.toEqual([]), patience);
    await writer.write([{ type: 'remove-session', sessionId: 's' }]);
    control.refuses = () => false;
    await writer.flush();
    expect(store.item('s', 't:1:0')).toBeUndefined();
    expect(troubles.at(-1)).toEqual(['s', false]);
  });

  it("does not retry a session's rows that failed while it was being removed", async () => {
    const { store, control } = troubledStore((write) => write.type === 'put-item');
    const gate = Promise.withResolvers<void>();
    control.gate = gate.promise;
    const { writer, errors } = writerOn(store);
    writer.put(itemRow('t:1:0', 0), true);
    await new Promise(setImmediate);
    const removed = writer.write([{ type: 'remove-session', sessionId: 's' }]);
    gate.resolve();
    await removed;
    await vi.waitFor(() => expect(errors).toHaveLength(1), patience);
    control.refuses = () => false;
    await writer.close();
    expect(store.item('s', 't:1:0')).toBeUndefined();
  });

  it('closes even when the disk accepts nothing', async () => {
    const { store } = troubledStore(() => true);
    const { writer, errors } = writerOn(store);
    writer.put(itemRow('t:1:0', 0), true);
    await writer.close();
    expect(errors).not.toEqual([]);
  });
});
