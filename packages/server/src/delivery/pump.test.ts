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

it('hands everything that is ready to the network at once', async () => {
  const events: string[] = [];
  const pump = createPump({
    send: (frame) => void events.push(frame),
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
