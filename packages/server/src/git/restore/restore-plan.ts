import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '@liminal/contracts';
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
};

type Deps = { readonly runner: GitRunner; readonly repository: Repository };

/**
 * Determines what each file becomes when turns are reverted, from last to first, by three-way merge: the content before
 * the turn, after it, and now. Changes nothing in the folder.
 */
export async function planRestore(
  { runner, repository }: Deps,
  nowTree: string,
  /** Oldest first. */
  pairs: readonly TreePair[],
): Promise<Result<RestoreTarget[]>> {
  const versions = new Map<string, TurnVersions[]>();
  const below = repository.prefix === '' ? [] : ['--', repository.prefix];
  for (const { from, to } of pairs.toReversed()) {
    const reader = createEntryReader(0);
    const args = ['diff-tree', '-r', '--raw', '-z', '--no-abbrev', '--no-renames', from, to, ...below];
    const ran = await expectGit(runner, { cwd: repository.root, args, onField: reader.push });
    if (!ran.ok) return ran;
    for (const entry of reader.entries) {
      const known = versions.get(entry.path) ?? [];
      known.push({ before: oldSide(entry), after: newSide(entry) });
      versions.set(entry.path, known);
    }
  }
  const present = await readHead(runner, repository, nowTree, [...versions.keys()]);
  if (!present.ok) return present;
  const targets: RestoreTarget[] = [];
  for (const [path, turns] of versions) {
    const now = present.value.get(path) ?? null;
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
    if (!isNested && !sameEntry(now, step.to))
      targets.push({ path: path.slice(repository.prefix.length), now, to: step.to, how });
  }
  return ok(targets);
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
