import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Repository } from '../repository.ts';

/** HEAD: a branch, or just a commit. `head` is null before the first commit. */
export type Head = { readonly head: string | null; readonly branch: string | null };

const branchForm = /^ref: refs\/heads\/(\S+)\n?$/;
/** SHA-1 and SHA-256. */
const idForm = /^([0-9a-f]{40}|[0-9a-f]{64})\n?$/;

/**
 * Reads HEAD from git's own files, which saves two processes for each list and checkpoint. Null if they have an unusual
 * form (a reftable, a symlink, a symbolic ref to another): then git must be asked.
 */
export async function readHeadFile({
  gitDir,
  commonDir,
}: Pick<Repository, 'gitDir' | 'commonDir'>): Promise<Head | null> {
  const head = await readPlainFile(join(gitDir, 'HEAD'));
  if (head === null) return null;
  const detached = idForm.exec(head)?.[1];
  if (detached !== undefined) return { head: detached, branch: null };
  const branch = branchForm.exec(head)?.[1];
  // `.invalid` is the branch that HEAD names in a repository with a reftable.
  if (branch === undefined || branch === '.invalid' || branch.split('/').includes('..')) return null;
  const name = `refs/heads/${branch}`;
  const path = join(commonDir, name);
  // In this order, because git writes the packed refs before it deletes the loose one.
  const loose = await readPlainFile(path);
  if (loose !== null) {
    const id = idForm.exec(loose)?.[1];
    return id === undefined ? null : { head: id, branch };
  }
  const other = await lstat(path).catch(() => null);
  // A folder with that name may be left from a branch `name/more`.
  if (other !== null && !other.isDirectory()) return null;
  const packed = await readFile(join(commonDir, 'packed-refs')).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? Buffer.of() : null,
  );
  return packed === null ? null : { head: idBefore(packed, name), branch };
}

/** The id that precedes this name on its line. */
function idBefore(packed: Buffer, name: string): string | null {
  const at = packed.indexOf(` ${name}\n`);
  if (at < 0) return null;
  const start = packed.lastIndexOf(10, at) + 1;
  return idForm.exec(packed.toString('latin1', start, at))?.[1] ?? null;
}

/** The text of a regular file, or null for everything else. */
async function readPlainFile(path: string): Promise<string | null> {
  const found = await lstat(path).catch(() => null);
  return found?.isFile() === true ? readFile(path, 'utf8').catch(() => null) : null;
}
