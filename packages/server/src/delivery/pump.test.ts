import { expect, it, vi } from 'vitest';
import { createPump, type FrameSource } from './pump.ts';

const sourceOf = (...bursts: string[][]): FrameSource => ({
  take: () => bursts.shift() ?? [],
  get ready() {
    return bursts.length > 0;
  },
  holding: false,
  flushHeld() {},
  stop() {},
});

it('sends everything that is ready in one batch', async () => {
  const events: string[] = [];
  const pump = createPump({
    send: (frame) => void events.push(String(frame)),
    waiting: () => 0,
    together(sendAll) {
      events.push('begin');
      sendAll();
      events.push('end');
    },
  });
  pump.add(sourceOf(['a1', 'a2'], ['a3']));
  pump.add(sourceOf(['b1']));
  pump.wake();
  await vi.waitFor(() => expect(events).toEqual(['begin', 'a1', 'a2', 'b1', 'a3', 'end']));
});

it('tells a source when its frame has left', async () => {
  const sent: ((() => void) | undefined)[] = [];
  const left = vi.fn<() => void>();
  const pump = createPump({ send: (_frame, done) => void sent.push(done), waiting: () => 0 });
  pump.add(Object.assign(sourceOf(['news']), { sent: left }));
  pump.wake();
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(left).not.toHaveBeenCalled();
  sent[0]?.();
  expect(left).toHaveBeenCalledOnce();
});

it('continues once the network has taken the buffered bytes', async () => {
  const sent: string[] = [];
  let [waiting, drained] = [0, () => {}];
  const pump = createPump(
    {
      send(frame) {
        sent.push(String(frame));
        waiting += 1;
      },
      waiting: () => waiting,
      whenDrained: (listener) => (drained = listener),
    },
    { highWater: 2 },
  );
  pump.add(sourceOf(['1'], ['2'], ['3']));
  pump.wake();
  await vi.waitFor(() => expect(sent).toEqual(['1', '2']));
  waiting = 0;
  drained();
  await vi.waitFor(() => expect(sent).toEqual(['1', '2', '3']));
});

it("runs every reader's pump even if one throws", async () => {
  const failures: unknown[] = [];
  const listeners = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').once('uncaughtException', (error) => failures.push(error));
  try {
    const sent: string[] = [];
    const [failing, other] = [
      createPump({ send: () => expect.fail('broken socket'), waiting: () => 0 }),
      createPump({ send: (frame) => void sent.push(String(frame)), waiting: () => 0 }),
    ];
    for (const pump of [failing, other]) {
      pump.add(sourceOf(['news']));
      pump.wake();
    }
    await vi.waitFor(() => expect([sent, failures]).toMatchObject([['news'], [{ message: 'broken socket' }]]));
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const listener of listeners) process.on('uncaughtException', listener);
  }
});
