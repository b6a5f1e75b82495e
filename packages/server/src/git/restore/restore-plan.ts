import { lstat, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type NotKeptFile, type Result } from '@liminal/contracts';
import {
  conflictOf,
  restorePath,
  sameEntry,
  type FileEntry,
  type RestoreStep,
  type TurnVersions,
} from '@liminal/domain/review/restore-path';
import { createEntryReader, isSubmodule } from '../changed-entries.ts';
import { readBlob, readHead, writeBlob } from '../index-entries.ts';
import type { HashNow } from '../hash-now.ts';
import { pathIn, pathText } from '../path-text.ts';
import { createDetailsReader, type KeptDetails } from '../snapshots/kept-files.ts';
import type { Snapshot } from '../snapshots/snapshot.ts';
import { isIgnoreFile } from '../snapshots/snapshot-lists.ts';
import { newSide, oldSide, type TreePair } from '../snapshots/kept-trees.ts';
import type { Repository } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';
import { temporaryPath } from '../leftovers.ts';

/** A file that reverting turns would change. Paths are relative to the folder. */
export type RestoreTarget = {
  readonly path: string;
  readonly now: FileEntry | null;
  readonly to: FileEntry | null;
  /** `conflict`: the file isn't as the turns left it. `to` is its content before them. */
  readonly how: 'restore' | 'merge' | 'conflict';
  /** What git doesn't store of the recorded file: its permission bits, and its own bytes if git converts them. */
  readonly own?: KeptDetails;
  /** It is a conflict because ignore rules changed: the turns may only have hidden or revealed the file. */
  readonly isUncertain?: true;
};

/** A turn's trees, and when it began. */
export type TurnTrees = TreePair & {
  readonly begunAt: string;
  /** Files may have been hidden or revealed by other means than ignore rules in the trees, which this compares itself. */
  readonly ignoringChanged: boolean;
  /** What the first tree can't represent. */
  readonly raw: string | null;
  /** Files that the first tree lacks, or has in an older state. */
  readonly notKept: readonly NotKeptFile[];
};

type Deps = { readonly runner: GitRunner; readonly repository: Repository };
type Version = TurnVersions & Pick<TurnTrees, 'begunAt' | 'raw'> & { readonly rulesChanged: boolean };

/**
 * Determines what each file becomes when turns are reverted, from last to first, by three-way merge: the content before
 * the turn, after it, and now. Changes nothing in the folder.
 */
export async function planRestore(
  { runner, repository, hashNow }: Deps & { readonly hashNow: HashNow },
  current: Pick<Snapshot, 'tree' | 'notKept'>,
  /** Oldest first. */
  pairs: readonly TurnTrees[],
  /** Paths that the turns' calls named. */
  named: ReadonlySet<string>,
): Promise<Result<RestoreTarget[]>> {
  const versions = new Map<string, Version[]>();
  const below = repository.prefix === '' ? [] : ['--', repository.prefix];
  for (const { from, to, begunAt, raw, ignoringChanged } of pairs.toReversed()) {
    const reader = createEntryReader(0);
    const args = ['diff-tree', '-r', '--raw', '-z', '--no-abbrev', '--no-renames', from, to, ...below];
    const ran = await expectGit(runner, { cwd: repository.root, args, onField: reader.push });
    if (!ran.ok) return ran;
    const rulesChanged = ignoringChanged || reader.entries.some((entry) => isIgnoreFile(entry.path));
    for (const entry of reader.entries) {
      const known = versions.get(entry.path) ?? [];
      known.push({ before: oldSide(entry), after: newSide(entry), rulesChanged, begunAt, raw });
      versions.set(entry.path, known);
    }
  }
  // Without its content before the turns, or now, there is nothing to restore it from or to merge it with.
  const unknown = [...current.notKept, ...pairs.flatMap(({ notKept }) => notKept)];
  for (const { path } of unknown) versions.delete(path);
  const present = await readHead(runner, repository, current.tree, [...versions.keys()]);
  if (!present.ok) return present;
  const detailsOf = createDetailsReader(runner, repository);
  const targets: RestoreTarget[] = [];
  for (const [path, turns] of versions) {
    const own = path.slice(repository.prefix.length);
    const listed = present.value.get(path) ?? null;
    // A file that git ignores is in no snapshot, but in the trees of turns whose edit calls named it.
    const isRecorded = named.has(own) && turns.every(({ before, after }) => before !== null && after !== null);
    const found = listed === null && isRecorded ? await presentEntry(hashNow, repository, own) : null;
    const now = found === 'unreadable' ? null : (found ?? listed);
    let step = restorePath(now, turns);
    let how: RestoreTarget['how'] = 'restore';
    while (step.kind === 'merge') {
      const merged = await merge({ runner, repository }, step);
      if (!merged.ok) return merged;
      how = 'merge';
      step = merged.value === null ? conflictOf(turns) : restorePath(merged.value, step.rest);
    }
    if (step.kind === 'conflict') how = 'conflict';
    // A submodule has its own history, and git commands to change it.
    const isNested = [now, step.to].some((entry) => entry !== null && isSubmodule(entry.mode));
    if (isNested || sameEntry(now, step.to)) continue;
    const recorded = turns.findLast(({ before }) => before !== null && sameEntry(before, step.to));
    const details = recorded && (await detailsOf(recorded.raw, path, step.to?.mode ?? ''));
    const target = { path: own, now, to: step.to, how, ...(details && { own: details }) };
    const first = turns.at(-1);
    if (now === null) {
      const hidden = await presentEntry(hashNow, repository, target.path);
      const isUnreadable = hidden === 'unreadable';
      if (hidden === null) targets.push(target);
      else if (isUnreadable || !sameEntry(hidden, target.to))
        targets.push({ ...target, now: isUnreadable ? null : hidden, how: 'conflict', isUncertain: true });
    } else if (target.to === null && first?.rulesChanged === true && !named.has(target.path)) {
      const isOlder = await existedBefore(repository, target.path, first.begunAt);
      targets.push(isOlder ? { ...target, how: 'conflict', isUncertain: true } : target);
    } else targets.push(target);
  }
  const removed = new Set(targets.flatMap(({ path, to, how }) => (to === null && how !== 'conflict' ? [path] : [])));
  return ok(
    await Promise.all(
      targets.map(async (target) =>
        target.to !== null && target.now === null && (await hasOthers(repository, target.path, removed))
          ? { ...target, how: 'conflict' as const }
          : target,
      ),
    ),
  );
}

/** Whether a folder is at this path that doesn't go away with these files. */
async function hasOthers(
  { folder }: Pick<Repository, 'folder'>,
  path: string,
  removed: ReadonlySet<string>,
): Promise<boolean> {
  const found = await lstat(pathIn(folder, path)).catch(() => null);
  if (found?.isDirectory() !== true) return false;
  const entries = await readdir(pathIn(folder, path), { withFileTypes: true, encoding: 'buffer' }).catch(() => []);
  if (entries.length === 0) return true;
  for (const entry of entries) {
    const below = `${path}/${pathText(entry.name)}`;
    const stays = entry.isDirectory() ? await hasOthers({ folder }, below, removed) : !removed.has(below);
    if (stays) return true;
  }
  return false;
}

/** A file that no tree has because git ignores it. */
async function presentEntry(
  hashNow: HashNow,
  { folder }: Repository,
  path: string,
): Promise<FileEntry | 'unreadable' | null> {
  const found = await lstat(pathIn(folder, path)).catch(() => null);
  if (found === null || found.isDirectory()) return null;
  const hashed = await hashNow(path);
  if (!hashed.ok) return 'unreadable';
  return hashed.value.newId === null ? null : { mode: hashed.value.newMode, id: hashed.value.newId };
}

/** Whether a file is older than this time. Not every file system knows when a file was created. */
async function existedBefore({ folder }: Repository, path: string, time: string): Promise<boolean> {
  const found = await lstat(pathIn(folder, path)).catch(() => null);
  return found !== null && (found.birthtimeMs || found.mtimeMs) <= Date.parse(time);
}

/** Reverts a turn's change in a file that others changed too. Null if both touched the same lines. */
async function merge(
  { runner, repository }: Deps,
  { ours, base, theirs }: Extract<RestoreStep, { kind: 'merge' }>,
): Promise<Result<FileEntry | null>> {
  const folder = temporaryPath(repository.gitDir, 'merge');
  await mkdir(folder, { recursive: true });
  try {
    const names = ['ours', 'base', 'theirs'] as const;
    for (const [place, entry] of [ours, base, theirs].entries()) {
      const blob = await readBlob(runner, repository, entry.id);
      if (!blob.ok) return blob;
      await writeFile(join(folder, names[place] ?? ''), blob.value);
    }
    const ran = await runner({ cwd: folder, args: ['merge-file', '--stdout', '--quiet', ...names] });
    if (!ran.ok) return ran;
    // Codes up to 127 count conflicts. Above that, git couldn't merge: a file isn't text.
    if (ran.value.code !== 0) return ok(null);
    const id = await writeBlob(runner, repository, ran.value.stdout);
    return id.ok ? ok({ mode: ours.mode, id: id.value }) : id;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
