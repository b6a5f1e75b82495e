import type { StatsFs } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './open-folder.ts';

/** A copy would take the space that the server and others need. */
export class NoRoom extends Error {}

export type DiskSpace = Pick<StatsFs, 'bavail' | 'blocks' | 'bsize'>;

const mostKeptFree = 1024 ** 3;

/**
 * Throws `NoRoom` if a copy of the file or folder takes too much of a disk: 10 % of the disk stays free, or 1 GB if that
 * is less. A copy may always take 10 % of the free space, so small files fit on a nearly full disk too.
 */
export async function checkRoom(from: string, disk: DiskSpace): Promise<void> {
  // Some file systems don't know their size.
  if (disk.blocks === 0) return;
  const keptFree = Math.min(disk.blocks / 10, mostKeptFree / disk.bsize);
  const room = Math.max(disk.bavail - keptFree, disk.bavail / 10) * disk.bsize;
  let needed = 0;
  const waiting = [from];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const about = await unlessGone(lstat(path));
    if (about === null) continue;
    // Even the smallest file takes a block.
    needed += Math.max(1, Math.ceil(about.size / disk.bsize)) * disk.bsize;
    if (needed > room) throw new NoRoom('The disk has too little space for a copy.');
    if (!about.isDirectory()) continue;
    for (const name of (await unlessGone(readdir(path))) ?? []) waiting.push(join(path, name));
  }
}

const unlessGone = <T>(found: Promise<T>): Promise<T | null> =>
  found.catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  });
