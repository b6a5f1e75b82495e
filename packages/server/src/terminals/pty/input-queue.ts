import { writeSync } from 'node:fs';

export type InputQueue = {
  /** False if too much is already pending. */
  push(data: string): boolean;
  stop(): void;
};

const [firstRetryMs, longestRetryMs] = [2, 100];

/**
 * Writes to a non-blocking descriptor: as much as it accepts now, and the rest later. Node's own terminal stream would
 * wait for a program that reads nothing, and block the whole server.
 */
export function createInputQueue(
  descriptor: () => number | undefined,
  limit: number,
  write: (fd: number, bytes: Buffer) => number = writeSync,
): InputQueue {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let retryMs = firstRetryMs;
  let timer: NodeJS.Timeout | null = null;

  /** How many bytes were accepted. Null if the terminal is gone. */
  const tryWrite = (bytes: Buffer): number | null => {
    const fd = descriptor();
    if (fd === undefined || fd < 0) return null;
    try {
      return write(fd, bytes);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : null;
    }
  };

  const stop = (): void => {
    if (timer) clearTimeout(timer);
    timer = null;
    waiting = [];
    waitingBytes = 0;
  };

  const flush = (): void => {
    timer = null;
    for (;;) {
      const [next] = waiting;
      if (!next) return;
      const taken = tryWrite(next);
      if (taken === null) return stop();
      waitingBytes -= taken;
      retryMs = taken > 0 ? firstRetryMs : Math.min(longestRetryMs, retryMs * 2);
      if (taken === next.length) waiting.shift();
      else {
        waiting[0] = next.subarray(taken);
        timer = setTimeout(flush, retryMs);
        timer.unref();
        return;
      }
    }
  };

  return {
    push(data) {
      if (waitingBytes >= limit) return false;
      const bytes = Buffer.from(data);
      if (bytes.length === 0) return true;
      waiting.push(bytes);
      waitingBytes += bytes.length;
      if (!timer) flush();
      return true;
    },
    stop,
  };
}
