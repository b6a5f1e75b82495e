import { randomUUID } from 'node:crypto';
import { readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Folders are set aside next to the worktree, so on the same disk. Only we use such names. */
const prefix = '.liminal-removed-';
const ownName = new RegExp(`^${prefix.replaceAll('.', '\\.')}[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`);

/** Renames a folder, so it is gone at once and can be deleted later. False if that isn't possible. */
export async function setAside(root: string): Promise<boolean> {
  return rename(root, join(dirname(root), `${prefix}${randomUUID()}`)).then(
    () => true,
    () => false,
  );
}

/** The folders that were set aside here and not deleted yet. */
export async function listAside(parent: string): Promise<string[]> {
  const names = await readdir(parent).catch(() => []);
  return names.filter((name) => ownName.test(name)).map((name) => join(parent, name));
}

/**
 * Deletes a folder one file at a time, so the server can do other work meanwhile. Doesn't follow links. Stops when
 * aborted.
 */
export async function deleteSlowly(folder: string | Buffer, signal: AbortSignal): Promise<void> {
  const path = Buffer.from(folder);
  const entries = await unlessGone(readdir(path, { withFileTypes: true, encoding: 'buffer' }));
  for (const entry of entries ?? []) {
    if (signal.aborted) return;
    const inside = Buffer.concat([path, Buffer.from('/'), entry.name]);
    if (entry.isDirectory()) await deleteSlowly(inside, signal);
    else await unlessGone(unlink(inside));
  }
  if (!signal.aborted) await unlessGone(rmdir(path));
}

const unlessGone = <T>(task: Promise<T>): Promise<T | null> =>
  task.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
