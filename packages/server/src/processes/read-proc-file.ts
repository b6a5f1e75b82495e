import { closeSync, openSync, readSync } from 'node:fs';

/** Files in `/proc` report no size, so Node would read each into a new buffer of 64 KiB. One buffer serves all. */
let buffer = Buffer.allocUnsafe(16 * 1024);

/**
 * Reads a file of `/proc`, which never waits for a disk. Null if it is gone or may not be read. The bytes are valid
 * until the next call.
 */
export function readProcFile(path: string): Buffer | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    for (let end = 0; ;) {
      const count = readSync(file, buffer, end, buffer.length - end, null);
      if (count === 0) return buffer.subarray(0, end);
      end += count;
      if (end === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
    }
  } catch {
    // The process ended meanwhile, or belongs to another user.
    return null;
  } finally {
    closeSync(file);
  }
}
