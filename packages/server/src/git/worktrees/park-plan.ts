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

/** Something that can't be read, so it can't be kept. */
export class Unreadable extends Error {}

/**
 * The files and links in an ignored folder, or the file itself. Nothing behind a link. Rejects with `Unreadable` if it
 * can't tell.
 */
export async function filesIn(root: string, path: Buffer): Promise<Buffer[]> {
  const whole = Buffer.concat([Buffer.from(`${root}/`), path]);
  const unlessGone = (error: NodeJS.ErrnoException): null => {
    if (error.code === 'ENOENT') return null;
    throw new Unreadable(`"${pathText(path)}" can't be read (${error.code})`);
  };
  const found = await lstat(whole).catch(unlessGone);
  if (found?.isFile() || found?.isSymbolicLink()) return [path];
  if (!found?.isDirectory()) return [];
  const names = (await readdir(whole, { encoding: 'buffer' }).catch(unlessGone)) ?? [];
  const below = await Promise.all(names.map((name) => filesIn(root, Buffer.concat([path, Buffer.from('/'), name]))));
  return below.flat();
}
