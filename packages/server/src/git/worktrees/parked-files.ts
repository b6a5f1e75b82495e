import type { Stats } from 'node:fs';
import { lstat, readFile, readlink } from 'node:fs/promises';
import { fail, ok, type Result } from '@liminal/contracts';
import { isUtf8 } from 'node:buffer';
import { createEntryReader, type ChangedEntry } from '../changed-entries.ts';
import { writeBlob } from '../index-entries.ts';
import { pathBytes, pathIn, pathTexts } from '../path-text.ts';
import type { Repository } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';
import { convertedFiles } from './converted-files.ts';
import { lookAt } from './look-at.ts';

/** Git's lists of a working tree. Each command scans the folder at most once. */
export type TreeLists = {
  /** The differences between the commit and the index. */
  readonly staged: readonly ChangedEntry[];
  /** Files whose size, times or mode differ from the index. Their content may be the same. */
  readonly unstaged: readonly string[];
  /** Untracked files, and nested repositories with a `/` at the end. */
  readonly others: readonly string[];
  readonly tracked: ReadonlySet<string>;
  /** Tracked files whose changes git ignores (assume-unchanged, skip-worktree). */
  readonly hidden: readonly string[];
};

/** What a checkout of the commit alone would not restore. */
export type ParkedFiles = {
  /** Files and links whose bytes must be kept. */
  readonly present: readonly string[];
  /** In the commit, but not in the folder. */
  readonly deleted: readonly string[];
  /** Tracked files with the commit's content but other permission bits. */
  readonly modes: readonly { readonly path: string; readonly mode: number }[];
};

export async function listTree(runner: GitRunner, { root }: Repository, head: string): Promise<Result<TreeLists>> {
  const staged = createEntryReader(0);
  const index = ['diff-index', '--cached', '--raw', '-z', '--no-abbrev', '--no-renames', '--ignore-submodules=all'];
  const [compared, changes, listed] = await Promise.all([
    expectGit(runner, { cwd: root, args: [...index, head], onField: staged.push }),
    listChanges(runner, root),
    listPaths(runner, root, 'ls-files', '-v', '-z'),
  ]);
  if (!compared.ok) return compared;
  if (!changes.ok) return changes;
  if (!listed.ok) return listed;
  // A tag, a space and the path. A path in conflict appears once per side.
  const tracked = new Set(listed.value.map((line) => line.slice(2)));
  const hidden = listed.value.filter(isHidden).map((line) => line.slice(2));
  return ok({ staged: staged.entries, ...changes.value, tracked, hidden });
}

export type TreeChanges = Pick<TreeLists, 'unstaged' | 'others'>;

/** What differs from the index now. */
export async function listChanges(runner: GitRunner, root: string): Promise<Result<TreeChanges>> {
  const [unstaged, others] = await Promise.all([
    listPaths(runner, root, 'diff-files', '--name-only', '-z', '--ignore-submodules=all'),
    listPaths(runner, root, 'ls-files', '--others', '--exclude-standard', '-z'),
  ]);
  if (!unstaged.ok) return unstaged;
  return others.ok ? ok({ unstaged: unstaged.value, others: others.value }) : others;
}

async function listPaths(runner: GitRunner, root: string, ...args: string[]): Promise<Result<string[]>> {
  const ran = await expectGit(runner, { cwd: root, args });
  return ran.ok ? ok(pathTexts(ran.value.stdout)) : ran;
}

/** Sorts out what must be kept. `ignored` are the ignored files to keep. */
export async function sortParkedFiles(
  runner: GitRunner,
  repository: Repository,
  { staged, unstaged, others, tracked, hidden }: TreeLists,
  ignored: readonly string[],
): Promise<Result<ParkedFiles>> {
  const { root } = repository;
  const converted = await convertedFiles(runner, repository, [...tracked], [...others, ...ignored]);
  if (!converted.ok) return converted;
  const candidates = new Set<string>([
    ...staged.map(({ path }) => path),
    ...unstaged,
    ...others.filter((path) => !path.endsWith('/')),
    ...hidden,
    ...converted.value,
    ...ignored,
  ]);
  const present: string[] = [];
  const deleted: string[] = [];
  const inHead = new Set(staged.flatMap(({ path, oldId }) => (oldId === null ? [] : [path])));
  await lookAt(root, candidates, (path, found) => {
    if (found?.isFile() || found?.isSymbolicLink()) present.push(path);
    else if (inHead.has(path) || tracked.has(path)) deleted.push(path);
  });
  const modes: { path: string; mode: number }[] = [];
  const usual = 0o666 & ~process.umask();
  const usualProgram = 0o777 & ~process.umask();
  const noteMode = (path: string, found: Stats | undefined): void => {
    if (!found?.isFile() || candidates.has(path)) return;
    const bits = found.mode & 0o7777;
    if (bits !== usual && bits !== usualProgram) modes.push({ path, mode: found.mode });
  };
  await lookAt(root, tracked, noteMode);
  return ok({ present: present.toSorted(), deleted: deleted.toSorted(), modes });
}

/** Files marked as assume-unchanged or skipped in the index. The line starts with the tag of `ls-files -v`. */
export const isHidden = (line: string): boolean => {
  const tag = line.charAt(0);
  return tag === 'S' || tag !== tag.toUpperCase();
};

export type StoredFile = { readonly path: string; readonly mode: number; readonly id: string };

/** Stores the bytes of files unchanged. Returns them in another order than the paths. */
export async function storeFiles(
  runner: GitRunner,
  repository: Repository,
  paths: readonly string[],
): Promise<Result<StoredFile[]>> {
  const { root } = repository;
  const stored: StoredFile[] = [];
  const plain: { path: string; mode: number }[] = [];
  for (const path of paths) {
    const found = await lstat(pathIn(root, path)).catch(() => null);
    if (!found) return fail('STALE', `"${path}" disappeared while it was being saved. Nothing was removed. Try again.`);
    const isOdd = found.isSymbolicLink() || path.includes('\n') || !isUtf8(pathBytes(path));
    if (!isOdd) {
      plain.push({ path, mode: found.mode });
      continue;
    }
    const content = found.isSymbolicLink()
      ? await readlink(pathIn(root, path), { encoding: 'buffer' })
      : await readFile(pathIn(root, path));
    const id = await writeBlob(runner, repository, content);
    if (!id.ok) return id;
    stored.push({ path, mode: found.mode, id: id.value });
  }
  if (plain.length === 0) return ok(stored);
  const ran = await expectGit(runner, {
    cwd: root,
    writes: true,
    timeoutMs: 30 * 60_000,
    args: ['hash-object', '-w', '--no-filters', '--stdin-paths'],
    input: plain.map(({ path }) => `${root}/${path}\n`).join(''),
  });
  if (!ran.ok) return ran;
  const ids = ran.value.stdout.toString().trim().split('\n');
  return ok([...stored, ...plain.map(({ path, mode }, place) => ({ path, mode, id: ids[place] ?? '' }))]);
}
