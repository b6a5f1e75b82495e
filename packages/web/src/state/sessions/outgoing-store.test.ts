import type { FirstMessage } from '@liminal/contracts';
import { describe, expect, it, vi } from 'vitest';
import type { Api } from '../../connection/api.ts';
import { createOutgoingStore, type OutgoingConnection } from './outgoing-store.ts';
import { memoryStorage } from '../../testing/memory-storage.ts';

type Reply = Awaited<ReturnType<Api['session']['send']>>;
const unreachable: Reply = { ok: false, failure: { code: 'UNREACHABLE', message: 'gone' } };

function setup(storage = memoryStorage(), connection?: OutgoingConnection, prefix = '') {
  const calls: Array<{ sessionId: string; content: string; clientMessageId?: string; reply: (value: Reply) => void }> =
    [];
  const send: Api['session']['send'] = (sessionId, body) =>
    new Promise((reply) =>
      calls.push({ sessionId, content: body.content, clientMessageId: body.clientMessageId!, reply }),
    );
  let count = 0;
  const store = createOutgoingStore(
    { send },
    storage,
    () => `${prefix}c${(count += 1)}`,
    () => null,
    connection,
  );
  const states = (): string[] => store.get().map((message) => `${message.content}:${message.state}`);
  return { store, calls, states };
}

describe('outgoing-store', () => {
  it('sends the messages of a session one after another', async () => {
    const { store, calls, states } = setup();
    store.send('s', 'one');
    store.send('s', 'two');
    store.send('other', 'three');
    expect(calls.map((call) => call.content)).toEqual(['one', 'three']);
    calls[0]!.reply({ ok: true, value: { turnId: 't1' } });
    await vi.waitFor(() => expect(calls).toHaveLength(3));
    expect(calls[2]!.content).toBe('two');
    expect(states()).toEqual(['one:accepted', 'two:sending', 'three:sending']);
  });

  it('keeps a message that couldn’t be sent, and sends it once under the same id', async () => {
    const { store, calls, states } = setup();
    store.send('s', 'one');
    store.send('s', 'two');
    calls[0]!.reply(unreachable);
    await vi.waitFor(() => expect(states()).toEqual(['one:offline', 'two:offline']));
    store.send('s', 'three');
    expect(calls).toHaveLength(1);
    store.retry();
    expect(calls[1]).toMatchObject({ content: 'one', clientMessageId: 'c1' });
    store.retry();
    expect(calls).toHaveLength(2);
  });

  it('sends a message again by itself, later each time, if its request fails while the socket is open', async () => {
    const waits: Array<{ milliseconds: number; task: () => void }> = [];
    const socket = { isOpen: true };
    const { store, calls, states } = setup(memoryStorage(), {
      isOpen: () => socket.isOpen,
      after: (milliseconds, task) => {
        waits.push({ milliseconds, task });
        return () => {};
      },
    });
    store.send('s', 'one');
    calls[0]!.reply(unreachable);
    await vi.waitFor(() => expect(states()).toEqual(['one:offline']));
    store.send('s', 'two');
    waits[0]!.task();
    expect(calls[1]).toMatchObject({ content: 'one', clientMessageId: 'c1' });
    calls[1]!.reply(unreachable);
    await vi.waitFor(() => expect(waits).toHaveLength(2));
    expect(waits[1]!.milliseconds).toBeGreaterThan(waits[0]!.milliseconds);
    waits[1]!.task();
    calls[2]!.reply({ ok: true, value: { turnId: 't1' } });
    await vi.waitFor(() => expect(states()).toEqual(['one:accepted', 'two:sending']));
    socket.isOpen = false;
    calls[3]!.reply(unreachable);
    await vi.waitFor(() => expect(states()).toEqual(['one:accepted', 'two:offline']));
    expect(waits).toHaveLength(2);
  });

  it('keeps it after a reload', () => {
    const storage = memoryStorage();
    const first = setup(storage);
    first.store.send('s', 'one');
    const second = setup(storage);
    expect(second.states()).toEqual(['one:offline']);
    second.store.retry();
    expect(second.calls[0]).toMatchObject({ content: 'one', clientMessageId: 'c1' });
  });

  it('keeps the messages of other tabs, and removes its own once they were sent', async () => {
    const storage = memoryStorage();
    const first = setup(storage);
    const second = setup(storage, undefined, 'second-');
    first.store.send('s', 'one');
    second.store.send('s', 'two');
    expect(setup(storage).states()).toEqual(['one:offline', 'two:offline']);
    second.calls[0]!.reply({ ok: true, value: { turnId: 't2' } });
    await vi.waitFor(() => expect(second.states()).toEqual(['two:accepted']));
    expect(setup(storage).states()).toEqual(['one:offline']);
    first.calls[0]!.reply({ ok: true, value: { turnId: 't1' } });
    await vi.waitFor(() => expect(first.states()).toEqual(['one:accepted']));
    expect(storage.read('liminal.outgoing')).toBeNull();
  });

  it('doesn’t send a message without its images after a reload', () => {
    const storage = memoryStorage();
    const images = [{ mimeType: 'image/png', data: 'iVBORw0KGgo=' }] as const;
    setup(storage).store.send('s', 'look', { images });
    expect(storage.read('liminal.outgoing')).not.toContain(images[0].data);
    const { store, calls, states } = setup(storage);
    expect(states()).toEqual(['look:refused']);
    expect(store.get()[0]).toMatchObject({ failure: { code: 'IMAGES_LOST' } });
    store.retry();
    expect(calls).toEqual([]);
    expect(store.takeBack('c1')).toMatchObject({ content: 'look' });
  });

  it('doesn’t resend a rejected message after a reload', async () => {
    const storage = memoryStorage();
    const before = setup(storage);
    before.store.send('s', 'one');
    before.calls[0]!.reply({ ok: false, failure: { code: 'SESSION_DEAD', message: 'ended' } });
    await vi.waitFor(() => expect(before.states()).toEqual(['one:refused']));
    const { store, calls, states } = setup(storage);
    store.retry();
    expect([states(), calls]).toEqual([['one:refused'], []]);
    expect(store.get()[0]?.failure).toEqual({ code: 'SESSION_DEAD', message: 'ended' });
  });

  it('returns a rejected message and continues with the next', async () => {
    const { store, calls, states } = setup();
    store.send('s', 'one');
    store.send('s', 'two');
    calls[0]!.reply({ ok: false, failure: { code: 'SESSION_DEAD', message: 'ended' } });
    await vi.waitFor(() => expect(calls).toHaveLength(2));
    expect(states()).toEqual(['one:refused', 'two:sending']);
    expect(store.takeBack('c1')).toMatchObject({ content: 'one' });
    expect(store.takeBack('c2')).toBeNull();
  });

  it('forgets a message once the server shows its turn', async () => {
    const { store, calls, states } = setup();
    store.send('s', 'one');
    calls[0]!.reply({ ok: true, value: { turnId: 't1' } });
    await vi.waitFor(() => expect(states()).toEqual(['one:accepted']));
    store.arrived(() => false);
    expect(states()).toEqual(['one:accepted']);
    store.arrived((sessionId, turnId) => sessionId === 's' && turnId === 't1');
    expect(states()).toEqual([]);
  });

  it('sends the first message with the session it starts, and the next into that session', async () => {
    const send = vi.fn<Api['session']['send']>(async () => ({ ok: true, value: { turnId: 't2' } }));
    let store: ReturnType<typeof createOutgoingStore>;
    const begin = vi.fn(async (_message: FirstMessage) => {
      await vi.waitFor(() => expect(store.get()).toHaveLength(2));
      store.rename('new', 'made');
      return { ok: true as const, value: { sessionId: 'made', turnId: 't1' } };
    });
    let count = 0;
    store = createOutgoingStore(
      { send },
      memoryStorage(),
      () => `c${(count += 1)}`,
      (id, message) => (id === 'new' ? begin(message) : null),
    );
    store.send('new', 'one', { mentions: ['a.ts'] });
    store.send('new', 'two');
    await vi.waitFor(() => expect(store.get().map(({ turnId }) => turnId)).toEqual(['t1', 't2']));
    expect(begin.mock.calls).toEqual([[{ content: 'one', clientMessageId: 'c1', mentions: ['a.ts'] }]]);
    expect(send.mock.calls).toEqual([['made', { content: 'two', clientMessageId: 'c2' }]]);
  });
});
