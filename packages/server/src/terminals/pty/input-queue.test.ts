import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createInputQueue } from './input-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const busy = () => {
  throw Object.assign(new Error('full'), { code: 'EAGAIN' });
};

/** A terminal that accepts a given number of bytes at a time. */
function setup(limit = 10) {
  const taken: string[] = [];
  const terminal = { room: 4, fd: 7 as number | undefined };
  const queue = createInputQueue(
    () => terminal.fd,
    limit,
    (_fd, bytes) => {
      if (terminal.room === 0) return busy();
      const part = bytes.subarray(0, terminal.room);
      taken.push(part.toString());
      return part.length;
    },
  );
  return { taken, terminal, queue };
}

describe('the input of a terminal', () => {
  it('arrives in order, in as many parts as the program accepts', () => {
    const { taken, terminal, queue } = setup();
    terminal.room = 0;
    queue.push('abc');
    queue.push('defgh');
    expect(taken).toEqual([]);
    terminal.room = 4;
    vi.runAllTimers();
    expect(taken.join('')).toBe('abcdefgh');
  });

  it('is refused while too much is pending, and accepted again afterwards', () => {
    const { taken, terminal, queue } = setup();
    terminal.room = 0;
    expect(queue.push('x'.repeat(10))).toBe(true);
    expect(queue.push('y')).toBe(false);
    terminal.room = 100;
    vi.runAllTimers();
    expect(queue.push('z')).toBe(true);
    expect(taken.join('')).toBe('xxxxxxxxxxz');
  });

  it('is dropped when the terminal is gone', () => {
    const { taken, terminal, queue } = setup();
    terminal.room = 0;
    queue.push('abc');
    terminal.fd = undefined;
    terminal.room = 4;
    vi.runAllTimers();
    expect(taken).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
