import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readFile, readlink, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';
import type { FileEntry } from '@liminal/domain/review/restore-path';
import type { KeptFile } from '../staging/discard-changes.ts';
import { readBlobs } from '../index-entries.ts';
import { keepTree, treeOf } from '../snapshots/kept-trees.ts';
import { pathBytes, pathIn } from '../path-text.ts';
import { blobId, type Repository } from '../repository.ts';
import { temporaryPath } from '../leftovers.ts';
import type { RestoreTarget } from './restore-plan.ts';
import { expectGit, type GitRunner } from '../run-git.ts';
import type { StageDeps } from '../staging/stage-changes.ts';
import { isLinkMode, modeFrom, readWorkingFile, writeWorkingFile, type WorkingFile } from '../working-files.ts';

/** One file of a restore, byte for byte: its current and its future content. */
export type FileChange = { readonly path: string; readonly from: KeptFile | null; readonly to: KeptFile | null };

export type PreparedRestore = { readonly files: readonly FileChange[]; readonly ref: string };

/** `left`: changed since the restore was planned, so it was left alone. */
export type Restored = { readonly restored: readonly string[]; readonly left: readonly string[] };

/**
 * Keeps the current and the future bytes of each file under one ref, so the restore can be completed after a crash, or
 * undone. Fails if a file isn't as planned. Changes nothing in the folder.
 */
export async function prepareRestore(
  deps: StageDeps,
  targets: readonly RestoreTarget[],
  name: string,
): Promise<Result<PreparedRestore>> {
  const { repository, runner } = deps;
  const present = new Map<string, WorkingFile | null>();
  for (const { path, now } of targets) {
    const file = await readPresent(repository.folder, path);
    if (!file.ok) return file;
    if (!(await isAsPlanned(deps, path, file.value, now))) return stale(path);
    present.set(path, file.value);
  }
  const stage = temporaryPath(repository.gitDir, 'stage');
  await mkdir(stage, { recursive: true });
  try {
    const wanted = await checkOut(runner, repository, stage, targets, present);
    if (!wanted.ok) return wanted;
    const contents = [...present.values(), ...wanted.value.values()].flatMap((file) => file?.content ?? []);
    const ids = await storeBlobs(runner, repository, stage, contents);
    if (!ids.ok) return ids;
    const tree = await treeOf(
      runner,
      repository,
      new Map(ids.value.map((id, place) => [String(place), { mode: '100644', id }])),
    );
    if (!tree.ok) return tree;
    const ref = await keepTree(runner, repository, name, tree.value);
    if (!ref.ok) return ref;
    const kept = (file: WorkingFile | null | undefined): KeptFile | null =>
      file ? { id: blobId(repository.hash, file.content), mode: file.mode } : null;
    const files = targets.map(({ path }) => ({
      path,
      from: kept(present.get(path)),
      to: kept(wanted.value.get(path)),
    }));
    return ok({ files, ref: ref.value });
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** A folder counts as no file: it goes away with the files in it, before another file takes its place. */
async function readPresent(folder: string, path: string): Promise<Result<WorkingFile | null>> {
  const found = await lstat(pathIn(folder, path)).catch(() => null);
  return found?.isDirectory() ? ok(null) : readWorkingFile(folder, path);
}

const stale = (path: string) =>
  fail('STALE', `"${path}" has changed since this was shown. Look at it again, then decide.`);

async function isAsPlanned(deps: StageDeps, path: string, file: WorkingFile | null, now: FileEntry | null) {
  if (file === null || now === null) return file === now;
  const hashed = await deps.hashNow(path);
  return hashed.ok && hashed.value.newId === now.id && hashed.value.newMode === now.mode;
}

/**
 * The files as they belong in the folder: with their own bytes or with line endings and filters, and with their current
 * permissions. A file that is gone gets the permissions it had.
 */
async function checkOut(
  runner: GitRunner,
  repository: Repository,
  stage: string,
  targets: readonly RestoreTarget[],
  present: ReadonlyMap<string, WorkingFile | null>,
): Promise<Result<Map<string, WorkingFile | null>>> {
  const index = join(stage, 'index');
  const env = { GIT_INDEX_FILE: index };
  const there = targets.filter((target) => target.to !== null);
  const input = Buffer.concat(
    there.flatMap(({ path, to }) => [
      Buffer.from(`${to?.mode ?? ''} ${to?.id ?? ''}\t`),
      pathBytes(repository.prefix + path),
      Buffer.of(0),
    ]),
  );
  const files = new Map<string, WorkingFile | null>(targets.map(({ path }) => [path, null]));
  if (there.length === 0) return ok(files);
  const filled = await expectGit(runner, {
    cwd: repository.root,
    env,
    writes: true,
    args: ['update-index', '--add', '-z', '--index-info'],
    input,
  });
  if (!filled.ok) return filled;
  const args = ['checkout-index', '--all', '--force', `--prefix=${stage}/files/`];
  const written = await expectGit(runner, { cwd: repository.root, env, writes: true, args });
  if (!written.ok) return written;
  const ownBytes = await readBlobs(
    runner,
    repository,
    there.flatMap(({ own }) => own?.id ?? []),
  );
  if (!ownBytes.ok) return ownBytes;
  for (const { path, to, own } of there) {
    const file = pathIn(`${stage}/files`, repository.prefix + path);
    const found = await lstat(file).catch(() => null);
    if (found === null) return fail('GIT_FAILED', `"${path}" could not be read from the checkpoint.`);
    const stored = found.isSymbolicLink() ? await readlink(file, { encoding: 'buffer' }) : await readFile(file);
    const now = present.get(path)?.mode ?? null;
    const mode = now === null && own ? own.mode : modeFrom(to?.mode ?? '', now);
    files.set(path, { content: ownBytes.value.get(own?.id ?? '') ?? stored, mode });
  }
  return ok(files);
}

/** Stores bytes unchanged, with one git process for all of them. */
async function storeBlobs(
  runner: GitRunner,
  repository: Repository,
  stage: string,
  contents: readonly Buffer[],
): Promise<Result<string[]>> {
  if (contents.length === 0) return ok([]);
  const paths = contents.map((_, place) => join(stage, String(place)));
  for (const [place, content] of contents.entries()) await writeFile(paths[place] ?? '', content);
  const args = ['hash-object', '-w', '--no-filters', '--stdin-paths'];
  const ran = await expectGit(runner, { cwd: repository.root, writes: true, args, input: `${paths.join('\n')}\n` });
  return ran.ok ? ok(ran.value.stdout.toString().trim().split('\n')) : ran;
}

/**
 * Writes the new files, or puts the old ones back. Checks each one right before: a file that is already right stays, and
 * one that is neither old nor new is left alone, because someone else changed it. Repeating this after a crash gives the
 * same result.
 */
export async function applyRestore(
  { runner, repository }: Pick<StageDeps, 'runner' | 'repository'>,
  files: readonly FileChange[],
  direction: 'forward' | 'back',
): Promise<Result<Restored>> {
  const restored: string[] = [];
  const left: string[] = [];
  const due: { readonly path: string; readonly source: KeptFile | null; readonly goal: KeptFile | null }[] = [];
  const isDue = async (path: string, source: KeptFile | null, goal: KeptFile | null): Promise<boolean> => {
    const now = await readPresent(repository.folder, path);
    if (now.ok && isKept(repository, now.value, goal)) restored.push(path);
    else if (now.ok && isKept(repository, now.value, source)) return true;
    else left.push(path);
    return false;
  };
  for (const { path, from, to } of files) {
    const [source, goal] = direction === 'forward' ? [from, to] : [to, from];
    if (await isDue(path, source, goal)) due.push({ path, source, goal });
  }
  const contents = await readBlobs(
    runner,
    repository,
    due.flatMap(({ goal }) => goal?.id ?? []),
  );
  if (!contents.ok) return contents;
  const stage = temporaryPath(repository.gitDir, 'stage');
  await mkdir(stage, { recursive: true });
  try {
    // Deletions first: a file may take the place of a folder.
    for (const { path, source, goal } of due.toSorted((a, b) => Number(a.goal !== null) - Number(b.goal !== null))) {
      const content = goal && contents.value.get(goal.id);
      if (goal && !content) return fail('GIT_FAILED', `"${path}" is no longer kept.`);
      // The user or an agent may have written it while the others were checked and read.
      if (!(await isDue(path, source, goal))) continue;
      const done =
        goal && content
          ? await writeWorkingFile(repository.folder, path, { content, mode: goal.mode }, stage)
          : await removeFile(repository.folder, path, stage);
      if (!done.ok) return done;
      restored.push(path);
    }
    return ok({ restored, left });
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

const isKept = ({ hash }: Repository, file: WorkingFile | null, kept: KeptFile | null): boolean =>
  file === null || kept === null
    ? file === kept
    : (isLinkMode(file.mode) ? isLinkMode(kept.mode) : file.mode === kept.mode) &&
      blobId(hash, file.content) === kept.id;

/** Moves a file out of the folder, and removes the folders this leaves empty. */
async function removeFile(folder: string, path: string, stage: string): Promise<Result<null>> {
  const file = pathIn(folder, path);
  try {
    await rename(file, join(stage, randomUUID()));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // The target is on another file system.
    if (code === 'EXDEV') await rm(file);
    else return fail('GIT_FAILED', `"${path}" could not be removed (${code ?? 'unknown reason'}).`);
  }
  for (let parent = dirname(path); parent !== '.' && parent !== ''; parent = dirname(parent)) {
    const isGone = await rmdir(pathIn(folder, parent)).then(
      () => true,
      () => false,
    );
    if (!isGone) break;
  }
  return ok(null);
}
