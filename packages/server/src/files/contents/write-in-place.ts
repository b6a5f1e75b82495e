import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { writeAll } from '../../projects/write-all.ts';
import type { OpenFolder } from './open-folder.ts';

/** A save failed halfway, and the old text couldn't be put back. */
export class HalfSaved extends Error {}

/** Replaces the content of a file without replacing the file. False if it is no longer the one that was read. */
export async function writeInPlace(
  parent: OpenFolder,
  name: string,
  about: Stats,
  before: Buffer,
  bytes: Buffer,
): Promise<boolean> {
  const file = await open(parent.at(name), constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const now = await file.stat();
    if (now.ino !== about.ino || now.mtimeMs !== about.mtimeMs || now.size !== about.size) return false;
    let isOverwritten = false;
    try {
      // The part beyond the old end comes first: a full disk then fails before anything is overwritten.
      await writeAll(file, bytes, before.length);
      isOverwritten = true;
      await writeAll(file, bytes.subarray(0, before.length), 0);
      await file.truncate(bytes.length);
      await file.sync();
    } catch (error) {
      await putBack(file, before, isOverwritten).catch((cause: unknown) => {
        throw new HalfSaved('The file is incomplete.', { cause });
      });
      throw error;
    }
    return true;
  } finally {
    await file.close();
  }
}

async function putBack(file: FileHandle, before: Buffer, isOverwritten: boolean): Promise<void> {
  if (isOverwritten) await writeAll(file, before, 0);
  await file.truncate(before.length);
}
