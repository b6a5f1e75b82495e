import { mkdir, rm } from 'node:fs/promises';
import { ok, type Result } from '@liminal/contracts';
import { createEntryReader, type ChangedEntry } from '../changed-entries.ts';
import { pathBytes } from '../path-text.ts';
import type { Repository } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';
import { ownFolder, temporaryPath } from '../leftovers.ts';

export type TreePair = { readonly from: string; readonly to: string };

/**
 * Keeps a tree from git's garbage collection. The ref points directly at the tree, so it needs no commit or author and
 * doesn't show in `git log --all`.
 */
export async function keepTree(
  runner: GitRunner,
  { root }: Repository,
  name: string,
  tree: string,
  /** What the tree can't represent, kept under a ref of its own. */
  raw: string | null = null,
): Promise<Result<string>> {
  const ref = `refs/liminal/${name}`;
  // Both refs are updated, or neither.
  const input = `update ${ref} ${tree}\n${raw === null ? '' : `update ${rawRefOf(ref)} ${raw}\n`}`;
  const kept = await expectGit(runner, { cwd: root, writes: true, args: ['update-ref', '--stdin'], input });
  return kept.ok ? ok(ref) : kept;
}

/** The ref that keeps what a tree can't represent. */
const rawRefOf = (ref: string): string => ref.replace(/^refs\/liminal\//, 'refs/liminal/raw/');

export type Side = { readonly mode: string; readonly id: string };

/**
 * Two trees with exactly the combined differences of several pairs: each file as it was before the first pair that
 * changed it, and after the last.
 */
export async function joinPairs(
  runner: GitRunner,
  repository: Repository,
  pairs: readonly TreePair[],
): Promise<Result<TreePair>> {
  const before = new Map<string, Side | null>();
  const after = new Map<string, Side | null>();
  const below = repository.prefix === '' ? [] : ['--', repository.prefix];
  for (const { from, to } of pairs) {
    const reader = createEntryReader(0);
    const args = ['diff-tree', '-r', '--raw', '-z', '--no-abbrev', '--no-renames', from, to, ...below];
    const ran = await expectGit(runner, { cwd: repository.root, args, onField: reader.push });
    if (!ran.ok) return ran;
    for (const entry of reader.entries) {
      if (!before.has(entry.path)) before.set(entry.path, oldSide(entry));
      after.set(entry.path, newSide(entry));
    }
  }
  const from = await treeOf(runner, repository, before);
  if (!from.ok) return from;
  const to = await treeOf(runner, repository, after);
  return to.ok ? ok({ from: from.value, to: to.value }) : to;
}

export const oldSide = ({ oldId, oldMode }: ChangedEntry): Side | null =>
  oldId === null ? null : { id: oldId, mode: oldMode };
export const newSide = ({ newId, newMode }: ChangedEntry): Side | null =>
  newId === null ? null : { id: newId, mode: newMode };

/** A tree of only these files. */
export async function treeOf(
  runner: GitRunner,
  { root, gitDir }: Repository,
  files: ReadonlyMap<string, Side | null>,
): Promise<Result<string>> {
  await mkdir(ownFolder(gitDir), { recursive: true });
  const index = temporaryPath(gitDir, 'scratch');
  const env = { GIT_INDEX_FILE: index };
  const lines = [...files].flatMap(([path, side]) =>
    side === null ? [] : [Buffer.from(`${side.mode} ${side.id}\t`), pathBytes(path), Buffer.of(0)],
  );
  try {
    const input = Buffer.concat(lines);
    const args = ['update-index', '--add', '-z', '--index-info'];
    const filled = await expectGit(runner, { cwd: root, env, writes: true, args, input });
    if (!filled.ok) return filled;
    const written = await expectGit(runner, { cwd: root, env, writes: true, args: ['write-tree'] });
    return written.ok ? ok(written.value.stdout.toString().trim()) : written;
  } finally {
    await rm(index, { force: true });
  }
}

/** Deletes these refs, as far as they exist, with what belongs to them, in one step. */
export async function forgetTrees(
  runner: GitRunner,
  { root }: Repository,
  refs: readonly string[],
): Promise<Result<null>> {
  const listed = await expectGit(runner, { cwd: root, args: ['for-each-ref', '--format=%(refname)', 'refs/liminal/'] });
  if (!listed.ok) return listed;
  const there = new Set(listed.value.stdout.toString().split('\n'));
  const due = refs.flatMap((ref) => [ref, rawRefOf(ref)]).filter((ref) => there.has(ref));
  if (due.length === 0) return ok(null);
  const input = due.map((ref) => `delete ${ref}\n`).join('');
  const gone = await expectGit(runner, { cwd: root, writes: true, args: ['update-ref', '--stdin'], input });
  return gone.ok ? ok(null) : gone;
}

/**
 * Frees the space of what no ref keeps any more. Only for our own repositories: git does this in the user's. Recent
 * objects stay, because a snapshot gets its ref later.
 */
export const dropObjects = (runner: GitRunner, { root }: Repository) =>
  expectGit(runner, { cwd: root, writes: true, args: ['prune', '--expire=1.day.ago'], timeoutMs: 300_000 });
