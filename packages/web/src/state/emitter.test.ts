import { describe, expect, it, vi } from 'vitest';
import { createEmitter } from './emitter.ts';

function set() {
  const tasks: Array<() => void> = [];
  const emitter = createEmitter<string>((task) => tasks.push(task));
  const frame = (): void => tasks.splice(0).forEach((task) => task());
  return { emitter, frame, tasks };
}

describe('emitter', () => {
  it('tells a listener once per frame, however often its key changed', () => {
    const { emitter, frame } = set();
    const listener = vi.fn();
    emitter.subscribe('a', listener);
    for (let index = 0; index < 100; index += 1) emitter.mark('a');
    expect(listener).not.toHaveBeenCalled();
    frame();
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('leaves listeners of other keys alone', () => {
    const { emitter, frame } = set();
    const other = vi.fn();
    emitter.subscribe('a', () => {});
    emitter.subscribe('b', other);
    emitter.mark('a');
    frame();
    expect(other).not.toHaveBeenCalled();
  });

  it('schedules nothing when nobody listens', () => {
    const { emitter, tasks } = set();
    const stop = emitter.subscribe('a', () => {});
    stop();
    emitter.mark('a');
    expect(tasks).toHaveLength(0);
  });

  it('keeps a change that is noted while it tells others', () => {
    const { emitter, frame } = set();
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
