import { createHash } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';
import { pathIn, pathText } from '../path-text.ts';
import { readState, type Repository, type TreeState } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';
import { filesIn, planPark, Unreadable, type NotKeptEntry } from './park-plan.ts';
import { parkRef, unkeptState } from './park-record.ts';
import { listChanges, listTree, sortParkedFiles, type ParkedFiles, type TreeLists } from './parked-files.ts';
import { changedMeanwhile, commitRecord, storeWork, verify } from './store-work.ts';
import { commitsOnlyHere, submoduleWork, unsavedWork, type UnsavedWork } from './unsaved-work.ts';

export type ParkOptions = {
  readonly worktreeId: string;
  /** Ignored files and folders to keep whatever their size, below the root. */
  readonly keep: readonly string[];
  /** The user accepts losing the rest. */
  readonly dropIgnored: boolean;
};
export type Parked = Pick<UnsavedWork, 'dirty' | 'ahead'> & {
  readonly commit: string;
  /** Whether ignored files were kept. */
  readonly ignored: boolean;
  readonly notKept: readonly NotKeptEntry[];
};

/** Keeps all of a working tree in one commit under its own ref, and verifies that it can be read back. */
export async function parkTree(
  runner: GitRunner,
  repository: Repository,
  { worktreeId, keep, dropIgnored }: ParkOptions,
): Promise<Result<Parked>> {
  const { root } = repository;
  const state = await readState(runner, repository);
  if (!state.ok) return state;
  const { head, branch, operation, isLocked } = state.value;
  if (head === null) return fail('NOT_SUPPORTED', 'There is no commit yet in this worktree. Commit something first.');
  if (operation === 'rebase') return fail('GIT_BUSY', 'A rebase is in progress. Finish or abort it first.');
  for (const { name, what } of unkeptState)
    if (await lstat(join(repository.gitDir, name)).catch(() => null)) return fail('GIT_BUSY', what);
  if (isLocked)
    return fail('GIT_BUSY', 'Another git command is running in this worktree (index.lock). Wait until it is done.');
  const inSubmodule = await submoduleWork(runner, repository);
  if (!inSubmodule.ok) return inSubmodule;
  if (inSubmodule.value !== null) return cannotKeep(inSubmodule.value);
  const [plan, listed] = await Promise.all([planPark(runner, repository, keep), listTree(runner, repository, head)]);
  if (!plan.ok) return plan;
  if (!listed.ok) return listed;
  const { ignored, notKept } = plan.value;
  if (notKept.length > 0 && !dropIgnored) return wouldLose(notKept);
  const nested = listed.value.others.find((path) => path.endsWith('/'));
  if (nested !== undefined) return cannotKeep(`"${nested}" is a separate repository`);
  const ignoredFiles = await Promise.all(ignored.map(({ path }) => filesIn(root, path))).then(
    (files) => files.flat(),
    unreadable,
  );
  if (!Array.isArray(ignoredFiles)) return ignoredFiles;
  const sorted = await sortParkedFiles(runner, repository, listed.value, ignoredFiles.map(pathText));
  if (!sorted.ok) return sorted;
  const stamp = await stampOf(repository, sorted.value);
  const kept = await storeWork(runner, repository, { head, branch }, sorted.value, listed.value.staged);
  if (!kept.ok) return kept;
  const commit = await commitRecord(runner, repository, kept.value);
  if (!commit.ok) return commit;
  const args = ['update-ref', parkRef(worktreeId), commit.value];
  const named = await expectGit(runner, { cwd: root, writes: true, args });
  if (!named.ok) return named;
  const verified = await verify(runner, repository, commit.value, kept.value);
  if (!verified.ok) return verified;
  const work = await workIn(runner, repository, { ...state.value, head }, listed.value);
  if (!work.ok) return work;
  // Checked last, to leave little time for an unnoticed change.
  const again = await listChanges(runner, root);
  if (!again.ok) return again;
  const isSame = sameChanges(again.value, listed.value) && (await stampOf(repository, sorted.value)) === stamp;
  const { dirty, ahead } = work.value;
  const parked = { commit: commit.value, ignored: ignoredFiles.length > 0, notKept, dirty, ahead };
  return isSame ? ok(parked) : changedMeanwhile;
}

const cannotKeep = (why: string) =>
  fail('WORKTREE_DIRTY', `This worktree can't be parked: ${why}. Save that elsewhere, then try again.`);
const unreadable = (error: unknown) => {
  if (error instanceof Unreadable) return cannotKeep(error.message);
  throw error;
};
const wouldLose = (notKept: readonly NotKeptEntry[]) => {
  const names = notKept.slice(0, 3).map(({ path }) => path);
  return fail('WORKTREE_DIRTY', `Ignored files would be lost: ${names.join(', ')}.`, { notKept });
};

/** Whether exactly the same files are still changed or untracked. */
const sameChanges = (now: Pick<TreeLists, 'unstaged' | 'others'>, before: TreeLists): boolean =>
  isSameList(now.unstaged, before.unstaged) && isSameList(now.others, before.others);
const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((path, place) => path === other[place]);

/** What removing the worktree would lose. Scans the folder again only if the lists don't already show changes. */
async function workIn(
  runner: GitRunner,
  repository: Repository,
  { head, branch, operation }: TreeState & { readonly head: string },
  { staged, others }: TreeLists,
): Promise<Result<Pick<UnsavedWork, 'dirty' | 'ahead'>>> {
  if (operation === null && staged.length === 0 && others.length === 0) return unsavedWork(runner, repository);
  const ahead = await commitsOnlyHere(runner, repository, head, branch);
  return ahead.ok ? ok({ dirty: true, ahead: ahead.value }) : ahead;
}

/** Changes when anything that was kept changes. */
async function stampOf({ root, gitDir }: Repository, { present, deleted }: ParkedFiles): Promise<string> {
  const hash = createHash('sha256');
  for (const path of [join(gitDir, 'index'), join(gitDir, 'HEAD')]) hash.update(await mark(Buffer.from(path)));
  for (const path of [...present, ...deleted]) hash.update(`${path}\0${await mark(pathIn(root, path))}`);
  return hash.digest('hex');
}
const mark = (path: Buffer): Promise<string> =>
  lstat(path, { bigint: true }).then(
    ({ mtimeNs, ctimeNs, size, ino, mode }) => `${mtimeNs} ${ctimeNs} ${size} ${ino} ${mode}\n`,
    () => 'none\n',
  );
