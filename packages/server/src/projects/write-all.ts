import type { FileHandle } from 'node:fs/promises';

/** Writes the bytes from `start` on to the same place in the file. A single write may write only some of them. */
export async function writeAll(file: FileHandle, bytes: Buffer, start: number): Promise<void> {
  for (let at = start; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, at);
    if (bytesWritten === 0) throw Object.assign(new Error('Nothing was written.'), { code: 'ENOSPC' });
    at += bytesWritten;
  }
}
