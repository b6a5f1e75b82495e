import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Failure, type Result } from '@liminal/contracts';
import { isSubmodule } from '../changed-entries.ts';
import {
  putEntries,
  readBlob,
  readHead,
  readIndex,
  readUnmerged,
  writeBlob,
  type IndexEntry,
} from '../index-entries.ts';
import { keepTree, treeOf } from '../snapshots/kept-trees.ts';
import { hasEscapes } from '../path-text.ts';
import { expectGit } from '../run-git.ts';
import { blobId, type Repository } from '../repository.ts';
import { temporaryPath } from '../leftovers.ts';
import { allPaths, byPath, mix, stale, type Choice, type StageDeps } from './stage-changes.ts';
import { modeFrom, readWorkingFile, writeWorkingFile, type WorkingFile } from '../working-files.ts';

/** A file by its object id and full mode. */
export type KeptFile = { readonly id: string; readonly mode: number };
export type DiscardPlan = {
  readonly ref: string;
  /** The old and the new content of each file. */
  readonly files: readonly {
    readonly path: string;
    readonly before: KeptFile | null;
    readonly after: KeptFile | null;
  }[];
  /** The previous index entries, if the index changes too. */
  readonly index: readonly { readonly path: string; readonly entry: IndexEntry | null }[];
  /**
   * Performs the plan. Call it only after the plan is on disk. A failure leaves every file as it was. If not even that
   * succeeds, its details list the files that stay `discarded`.
   */
  readonly perform: () => Promise<Result<string[]>>;
};

/**
 * Plans a discard, and keeps every file it would change with its exact bytes and modes. Changes nothing in the folder
 * until `perform`.
 */
export async function planDiscard(
  deps: StageDeps,
  { paths, hunks }: Choice,
  scope: 'unstaged' | 'uncommitted',
  name: string,
): Promise<Result<DiscardPlan>> {
  const { runner, repository, state } = deps;
  const whole = (path: string) => repository.prefix + path;
  const named = allPaths(paths, hunks);
  // A conflict has no version in the index to go back to. After `git stash pop`, no operation is under way.
  const unmerged = await readUnmerged(runner, repository);
  if (!unmerged.ok) return unmerged;
  const conflicts = named.filter((path) => unmerged.value.includes(whole(path)));
  if (conflicts.length > 0)
    return fail('CONFLICT', `Resolve the conflicts first: ${conflicts.slice(0, 5).join(', ')}.`, { files: conflicts });
  const index = await readIndex(runner, repository, named.map(whole));
  if (!index.ok) return index;
  const head = scope === 'uncommitted' ? await readHead(runner, repository, state.head, named.map(whole)) : index;
  if (!head.ok) return head;

  const targets = new Map<string, WorkingFile | null>();
  const present = new Map<string, WorkingFile | null>();
  for (const path of named) {
    const file = await readWorkingFile(repository.folder, path);
    if (!file.ok) return file;
    present.set(path, file.value);
  }
  for (const path of paths) {
    const target = await fileOf(deps, path, head.value.get(whole(path)) ?? null, present.get(path) ?? null);
    if (!target.ok) return target;
    targets.set(path, target.value);
  }
  for (const [path, chosen] of byPath(hunks)) {
    const entry = index.value.get(whole(path)) ?? null;
    const now = await deps.hashNow(path);
    if (!now.ok) return now;
    if ((entry?.id ?? null) !== chosen.oldId || now.value.newId !== chosen.newId) return stale(path);
    const mixed = await mix(deps, chosen, 'revert');
    if (!mixed.ok) return mixed;
    const mode = now.value.newId === null ? (entry?.mode ?? '100644') : now.value.newMode;
    const target = await fileOf(
      deps,
      path,
      mixed.value === null ? null : { mode, id: mixed.value },
      present.get(path) ?? null,
    );
    if (!target.ok) return target;
    targets.set(path, target.value);
  }
  const kept = await keepAll(deps, present, name);
  if (!kept.ok) return kept;
  const idOf = (file: WorkingFile | null): KeptFile | null =>
    file && { id: blobId(repository.hash, file.content), mode: file.mode };
  const changesIndex = scope === 'uncommitted' ? paths : [];
  const plan: KeptDiscard = {
    files: named.map((path) => ({
      path,
      before: idOf(present.get(path) ?? null),
      after: idOf(targets.get(path) ?? null),
    })),
    index: changesIndex.map((path) => ({ path, entry: index.value.get(whole(path)) ?? null })),
  };
  /** A file written since then isn't what the user chose to discard. */
  const look = async (path: string): Promise<Result<null>> => {
    const now = await readWorkingFile(repository.folder, path);
    if (!now.ok) return now;
    return sameFile(now.value, present.get(path) ?? null) ? ok(null) : stale(path);
  };
  return ok({
    ref: kept.value,
    ...plan,
    async perform() {
      for (const path of targets.keys()) {
        const looked = await look(path);
        if (!looked.ok) return looked;
      }
      const done = new Set<string>();
      const revert = async (failure: Failure): Promise<Result<never>> => {
        const files = plan.files.filter(({ path }) => done.has(path));
        // Git replaces the index last and at once, so after a failure it is still the same.
        const undone = await undoDiscard(deps, { files, index: [] });
        if (undone.ok || done.size === 0) return { ok: false, failure };
        const message = `${failure.message} Some files are already discarded. Undo restores them.`;
        return fail(failure.code, message, { ...failure.details, discarded: [...done] });
      };
      const written = await writeAll(repository, targets, look, done);
      if (!written.ok) return revert(written.failure);
      // Set the same entries again even if the index stays the same, so git forgets the file size and compares the
      // content. With converted line endings it would otherwise show an unchanged file as changed.
      const entries = new Map(paths.map((path) => [whole(path), head.value.get(whole(path)) ?? null]));
      const put = paths.length > 0 ? await putEntries(runner, repository, entries) : ok(null);
      if (put.ok || changesIndex.length === 0) return ok(named);
      return revert(put.failure);
    },
  });
}

const sameFile = (a: WorkingFile | null, b: WorkingFile | null): boolean =>
  a === null || b === null ? a === b : a.mode === b.mode && a.content.equals(b.content);

/**
 * Puts files in place, checking each one first. They are created in the git directory, so a partial file is never
 * visible.
 */
async function writeAll(
  { folder, gitDir }: Repository,
  files: ReadonlyMap<string, WorkingFile | null>,
  look: (path: string) => Promise<Result<null>>,
  /** Receives each path that was written. */
  done = new Set<string>(),
): Promise<Result<null>> {
  const stage = temporaryPath(gitDir, 'stage');
  await mkdir(stage, { recursive: true });
  try {
    for (const [path, file] of files) {
      const looked = await look(path);
      if (!looked.ok) return looked;
      const written = await writeWorkingFile(folder, path, file, stage);
      if (!written.ok) return written;
      done.add(path);
    }
    return ok(null);
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** A stored file with line endings and filters applied. Links and names that aren't UTF-8 stay as stored. */
async function fileOf(
  { runner, repository }: StageDeps,
  path: string,
  entry: IndexEntry | null,
  present: WorkingFile | null,
): Promise<Result<WorkingFile | null>> {
  if (entry === null) return ok(null);
  if (isSubmodule(entry.mode)) return fail('NOT_SUPPORTED', `"${path}" is a submodule. Change its commit with git.`);
  const mode = modeFrom(entry.mode, present?.mode ?? null);
  if (entry.mode === '120000' || hasEscapes(path)) {
    const blob = await readBlob(runner, repository, entry.id);
    return blob.ok ? ok({ content: blob.value, mode }) : blob;
  }
  const args = ['cat-file', '--filters', `--path=${join(repository.prefix, path)}`, entry.id];
  const ran = await expectGit(runner, { cwd: repository.root, args, mostBytes: 256 * 1024 * 1024 });
  return ran.ok ? ok({ content: ran.value.stdout, mode }) : ran;
}

/** Keeps every file's exact bytes under one ref, so git never removes them. */
async function keepAll(
  { runner, repository }: StageDeps,
  files: ReadonlyMap<string, WorkingFile | null>,
  name: string,
): Promise<Result<string>> {
  const kept = new Map<string, IndexEntry | null>();
  for (const [place, file] of [...files.values()].entries()) {
    if (file === null) continue;
    const id = await writeBlob(runner, repository, file.content);
    if (!id.ok) return id;
    kept.set(String(place), { mode: '100644', id: id.value });
  }
  const tree = await treeOf(runner, repository, kept);
  return tree.ok ? keepTree(runner, repository, name, tree.value) : tree;
}

export type KeptDiscard = Pick<DiscardPlan, 'files' | 'index'>;

/** Restores what was discarded. Fails as a whole if a file was changed since. */
export async function undoDiscard(
  { runner, repository }: StageDeps,
  { files, index }: KeptDiscard,
): Promise<Result<string[]>> {
  const isSame = (file: WorkingFile | null, kept: KeptFile | null): boolean =>
    file === null || kept === null
      ? file === kept
      : file.mode === kept.mode && blobId(repository.hash, file.content) === kept.id;
  const due = new Map<string, WorkingFile | null>();
  const expected = new Map<string, KeptFile | null>();
  for (const { path, before, after } of files) {
    const now = await readWorkingFile(repository.folder, path);
    if (!now.ok) return now;
    if (isSame(now.value, before)) continue;
    if (!isSame(now.value, after)) return stale(path);
    expected.set(path, after);
    const content = before && (await readBlob(runner, repository, before.id));
    if (content && !content.ok) return content;
    due.set(path, before && content ? { content: content.value, mode: before.mode } : null);
  }
  // A file may be written while the others are read.
  const look = async (path: string): Promise<Result<null>> => {
    const now = await readWorkingFile(repository.folder, path);
    if (!now.ok) return now;
    return isSame(now.value, expected.get(path) ?? null) ? ok(null) : stale(path);
  };
  for (const path of due.keys()) {
    const looked = await look(path);
    if (!looked.ok) return looked;
  }
  const written = await writeAll(repository, due, look);
  if (!written.ok) return written;
  const entries = new Map(index.map(({ path, entry }) => [repository.prefix + path, entry]));
  const put = entries.size > 0 ? await putEntries(runner, repository, entries) : ok(null);
  return put.ok ? ok(files.map(({ path }) => path)) : put;
}
