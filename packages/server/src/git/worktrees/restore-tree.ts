import { chmod, lstat, readFile, readlink, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';
import { pathIn } from '../path-text.ts';
import { readBlob } from '../index-entries.ts';
import { blobId, findRepository, type Repository } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';
import { isLinkMode, writeWorkingFile } from '../working-files.ts';
import { fillWorktree, registerWorktree, removeWorktree, type CheckoutProgress } from './add-worktree.ts';
import { lookAt } from './look-at.ts';
import { ParkRecord } from './park-record.ts';
import { readContents } from './read-contents.ts';
import { branchCommit, listWorktrees } from './worktree-list.ts';

export type RestoreOptions = {
  readonly root: string;
  /** The commit with the parked work. */
  readonly commit: string;
  readonly reason: string;
  readonly onProgress?: CheckoutProgress;
};
export type Restored = { readonly branch: string | null; readonly notice: string | null };

/** The parked state, without the contents of its files. */
async function readParkRecord(runner: GitRunner, { root }: Repository, commit: string): Promise<Result<ParkRecord>> {
  const args = ['cat-file', 'blob', `${commit}:meta.json`];
  const ran = await expectGit(runner, { cwd: root, args, mostBytes: 256 * 1024 * 1024 });
  if (!ran.ok) return ran;
  const parsed = ParkRecord.safeParse(JSON.parse(ran.value.stdout.toString('utf8')));
  return parsed.success ? ok(parsed.data) : fail('GIT_FAILED', "This version can't read what was parked here.");
}

/**
 * Restores a parked worktree byte for byte. Removes leftovers of an earlier attempt first: until the restore is done,
 * everything is in the parked commit.
 */
export async function restoreTree(
  runner: GitRunner,
  repository: Repository,
  { root, commit, reason, onProgress }: RestoreOptions,
  /** Runs changes of the repository itself, one at a time. */
  alone: <T>(task: () => Promise<Result<T>>) => Promise<Result<T>>,
): Promise<Result<Restored>> {
  const record = await readParkRecord(runner, repository, commit);
  if (!record.ok) return record;
  const chosen = await alone(async (): Promise<Result<Restored>> => {
    const cleared = await removeWorktree(runner, repository, root);
    if (!cleared.ok) return cleared;
    const where = await branchFor(runner, repository, record.value);
    if (!where.ok) return where;
    const { branch, isNew, notice } = where.value;
    const target = { root, commit: record.value.head, reason };
    const named = branch === null ? { newBranch: null } : isNew ? { newBranch: branch } : { newBranch: null, branch };
    const registered = await registerWorktree(runner, repository, { ...target, ...named });
    return registered.ok ? ok({ branch, notice }) : registered;
  });
  if (!chosen.ok) return chosen;
  const filled = await fillWorktree(runner, root, onProgress ? { onProgress } : {});
  if (!filled.ok) return filled;
  const tree = await findRepository(runner, root);
  if (!tree.ok) return tree;
  const written = await writeFiles(runner, tree.value, commit, record.value);
  if (!written.ok) return written;
  await expectGit(runner, { cwd: root, args: ['update-index', '-q', '--refresh'], timeoutMs: 10 * 60_000 });
  return chosen;
}

type Where = { readonly branch: string | null; readonly isNew: boolean; readonly notice: string | null };

/** Its own branch if that is free and unmoved, otherwise a new one with a similar name. */
async function branchFor(
  runner: GitRunner,
  repository: Repository,
  { branch, head }: ParkRecord,
): Promise<Result<Where>> {
  if (branch === null) return ok({ branch, isNew: false, notice: null });
  const tip = await branchCommit(runner, repository, branch);
  if (!tip.ok) return tip;
  if (tip.value === null) return ok({ branch, isNew: true, notice: null });
  const listed = await listWorktrees(runner, repository);
  if (!listed.ok) return listed;
  const elsewhere = listed.value.find((each) => each.branch === branch);
  if (tip.value === head && !elsewhere) return ok({ branch, isNew: false, notice: null });
  for (let number = 1; ; number += 1) {
    const name = `${branch}-restored${number === 1 ? '' : `-${number}`}`;
    const taken = await branchCommit(runner, repository, name);
    if (!taken.ok) return taken;
    if (taken.value !== null) continue;
    const why = elsewhere ? `is checked out in ${elsewhere.root}` : 'has moved on since';
    return ok({ branch: name, isNew: true, notice: `The branch "${branch}" ${why}, so this one is on "${name}".` });
  }
}

async function writeFiles(
  runner: GitRunner,
  tree: Repository,
  commit: string,
  record: ParkRecord,
): Promise<Result<null>> {
  const { root, gitDir, hash } = tree;
  const deleted: string[] = [];
  // A link of the commit may be where the index has a folder. Nothing behind it is ours.
  await lookAt(root, record.deleted, (path, found) => found && deleted.push(path));
  for (const path of deleted) {
    await rm(pathIn(root, path), { recursive: true, force: true });
    await removeEmptyParents(root, path);
  }
  const files = ownFiles(record);
  const contents = new Map<string, Buffer>();
  const ids = files.map(({ id }) => id);
  const read = await readContents(runner, tree, ids, (id, content) => contents.set(id, content));
  if (!read.ok) return read;
  for (const { path, mode, id } of files) {
    const content = contents.get(id) ?? null;
    if (content === null) return fail('GIT_FAILED', `"${path}" isn't in the parked commit.`);
    const there = await lstat(pathIn(root, path)).catch(() => null);
    // Only the checkout can have put a folder there.
    if (there?.isDirectory()) await rm(pathIn(root, path), { recursive: true });
    const written = await writeWorkingFile(root, path, { content, mode });
    if (!written.ok) return written;
  }
  for (const { path, mode } of record.modes) await chmod(pathIn(root, path), mode & 0o7777);
  for (const { name, text } of record.state) await writeFile(join(gitDir, name), text);
  const indexId = await expectGit(runner, { cwd: root, args: ['rev-parse', `${commit}:index`] });
  if (!indexId.ok) return indexId;
  const index = await readBlob(runner, tree, indexId.value.stdout.toString().trim());
  if (!index.ok) return index;
  await writeFile(join(gitDir, 'index'), index.value);
  for (const { path, mode, id } of files) {
    const found = await lstat(pathIn(root, path));
    const content = found.isSymbolicLink()
      ? await readlink(pathIn(root, path), { encoding: 'buffer' })
      : await readFile(pathIn(root, path));
    if (blobId(hash, content) !== id || (!found.isSymbolicLink() && found.mode !== mode))
      return fail('GIT_FAILED', `"${path}" couldn't be restored exactly. The parked work is still there.`);
  }
  return ok(null);
}

/** Older records also list what was behind a link to a folder, as if the link were that folder. */
function ownFiles({ files }: ParkRecord): ParkRecord['files'] {
  const links = new Set(files.flatMap(({ path, mode }) => (isLinkMode(mode) ? [path] : [])));
  const isBehindLink = (path: string): boolean => {
    const end = path.lastIndexOf('/');
    return end > 0 && (links.has(path.slice(0, end)) || isBehindLink(path.slice(0, end)));
  };
  return files.filter(({ path }) => !isBehindLink(path));
}

async function removeEmptyParents(root: string, path: string): Promise<void> {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const isGone = await rmdir(pathIn(root, path.slice(0, at))).then(
      () => true,
      () => false,
    );
    if (!isGone) return;
  }
}
