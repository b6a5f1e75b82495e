import { lstat, readdir } from 'node:fs/promises';
import { ok, type Result } from '@liminal/contracts';
import { pathText } from '../path-text.ts';
import type { Repository } from '../repository.ts';
import type { GitRunner } from '../run-git.ts';
import { ignoredEntries, type IgnoredEntry } from './unsaved-work.ts';

export type NotKeptEntry = { readonly path: string; readonly size: number };
export type ParkPlan = { readonly ignored: readonly IgnoredEntry[]; readonly notKept: readonly NotKeptEntry[] };

const largestIgnored = 10 * 1024 * 1024;

/** Which ignored files would be kept, and which not. */
export async function planPark(
  runner: GitRunner,
  repository: Repository,
  keep: readonly string[],
): Promise<Result<ParkPlan>> {
  const entries = await ignoredEntries(runner, repository);
  if (!entries.ok) return entries;
  const named = (path: string): boolean =>
    keep.some((each) => each === path || path.startsWith(`${each.replace(/\/$/, '')}/`));
  const isKept = ({ path, size }: IgnoredEntry): boolean => size < largestIgnored || named(pathText(path));
  const left = entries.value.filter((entry) => !isKept(entry));
  return ok({
    ignored: entries.value.filter(isKept),
    notKept: left.map(({ path, size, isFolder }) => ({ path: `${pathText(path)}${isFolder ? '/' : ''}`, size })),
  });
}

/** The files and links in an ignored folder, or the file itself. Nothing behind a link. */
export async function filesIn(root: string, path: Buffer): Promise<Buffer[]> {
  const found = await lstat(Buffer.concat([Buffer.from(`${root}/`), path])).catch(() => null);
  if (found?.isFile() || found?.isSymbolicLink()) return [path];
  if (!found?.isDirectory()) return [];
  const names = await readdir(Buffer.concat([Buffer.from(`${root}/`), path]), { encoding: 'buffer' });
  const below = await Promise.all(names.map((name) => filesIn(root, Buffer.concat([path, Buffer.from('/'), name]))));
  return below.flat();
}
