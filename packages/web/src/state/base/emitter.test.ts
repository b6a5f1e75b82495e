import { describe, expect, it, vi } from 'vitest';
import { createEmitter } from './emitter.ts';

function setup() {
  const tasks: Array<() => void> = [];
  const emitter = createEmitter<string>((task) => tasks.push(task));
  const frame = (): void => tasks.splice(0).forEach((task) => task());
  return { emitter, frame, tasks };
}

describe('emitter', () => {
  it('notifies about the first change after a quiet frame at the end of its task', async () => {
    const { emitter, frame } = setup();
    const listener = vi.fn();
    emitter.subscribe('a', listener);
    emitter.subscribe('b', listener);
    emitter.mark('a');
    emitter.mark('b');
    expect(listener).not.toHaveBeenCalled();
    await Promise.resolve();
    expect(listener).toHaveBeenCalledTimes(2);
    frame();
    frame();
    emitter.mark('a');
    await Promise.resolve();
    expect(listener).toHaveBeenCalledTimes(3);
  });

  it('delays later changes until the frame, and until every frame while changes continue', async () => {
    const { emitter, frame, tasks } = setup();
    const listener = vi.fn();
    emitter.subscribe('a', listener);
    emitter.mark('a');
    await Promise.resolve();
    for (let count = 2; count < 5; count += 1) {
      emitter.mark('a');
      emitter.mark('a');
      await Promise.resolve();
      expect(listener).toHaveBeenCalledTimes(count - 1);
      frame();
      expect(listener).toHaveBeenCalledTimes(count);
    }
    frame();
    expect(tasks).toHaveLength(0);
  });

  it('notifies a listener once per frame, however often its key changed', () => {
    const { emitter, frame } = setup();
    const listener = vi.fn();
    emitter.subscribe('a', listener);
    for (let index = 0; index < 100; index += 1) emitter.mark('a');
    expect(listener).not.toHaveBeenCalled();
    frame();
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('doesn’t notify listeners of other keys', () => {
    const { emitter, frame } = setup();
    const other = vi.fn();
    emitter.subscribe('a', () => {});
    emitter.subscribe('b', other);
    emitter.mark('a');
    frame();
    expect(other).not.toHaveBeenCalled();
  });

  it('schedules nothing if nobody listens', () => {
    const { emitter, tasks } = setup();
    const stop = emitter.subscribe('a', () => {});
    stop();
    emitter.mark('a');
    expect(tasks).toHaveLength(0);
  });

  it('keeps a change that arrives during a notification', () => {
    const { emitter, frame } = setup();
    const second = vi.fn();
    emitter.subscribe('a', () => emitter.mark('b'));
    emitter.subscribe('b', second);
    emitter.mark('a');
    frame();
    expect(second).not.toHaveBeenCalled();
    frame();
    expect(second).toHaveBeenCalledTimes(1);
  });
});
