import { createHash, randomUUID } from 'node:crypto';
import { copyFile, lstat, readdir, readFile, readlink, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';
import { createEntryReader } from '../changed-entries.ts';
import { writeBlob } from '../index-entries.ts';
import { treeOf, type Side } from '../snapshots/kept-trees.ts';
import { fieldsOf } from '../nul-fields.ts';
import { pathText } from '../path-text.ts';
import { blobId, readState, type Repository } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';
import { parkRef, stateCommits, stateFiles, type ParkRecord } from './park-record.ts';
import { listParkedFiles, pathIn, storeFiles, type ParkedFiles } from './parked-files.ts';
import { readContents } from './read-contents.ts';
import { filledSubmodules, ignoredEntries, type IgnoredEntry } from './unsaved-work.ts';

export type ParkOptions = {
  readonly worktreeId: string;
  /** Ignored files and folders to keep whatever their size, below the root. */
  readonly keep: readonly string[];
  /** The user accepts losing the rest. */
  readonly dropIgnored: boolean;
};
export type NotKeptEntry = { readonly path: string; readonly size: number };
export type ParkPlan = { readonly ignored: readonly IgnoredEntry[]; readonly notKept: readonly NotKeptEntry[] };
export type Parked = { readonly commit: string; readonly stamp: string };

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

/** Keeps all of a working tree in one commit under its own ref, and verifies that it can be read back. */
export async function parkTree(
  runner: GitRunner,
  repository: Repository,
  { worktreeId, keep, dropIgnored }: ParkOptions,
): Promise<Result<Parked>> {
  const state = await readState(runner, repository);
  if (!state.ok) return state;
  const { head, branch, operation, isLocked } = state.value;
  if (head === null) return fail('NOT_SUPPORTED', 'There is no commit yet in this worktree. Commit something first.');
  if (operation === 'rebase') return fail('GIT_BUSY', 'A rebase is in progress. Finish or abort it first.');
  if (isLocked)
    return fail('GIT_BUSY', 'Another git command is running in this worktree (index.lock). Wait until it is done.');
  const modules = await filledSubmodules(runner, repository);
  if (!modules.ok) return modules;
  if (modules.value.length > 0)
    return cannotKeep(`the submodule "${modules.value[0] ?? ''}" has files of its own here`);
  const plan = await planPark(runner, repository, keep);
  if (!plan.ok) return plan;
  if (plan.value.notKept.length > 0 && !dropIgnored) return wouldLose(plan.value.notKept);
  const ignored = (await Promise.all(plan.value.ignored.map((entry) => filesIn(repository.root, entry.path)))).flat();
  const listed = await listParkedFiles(runner, repository, head, ignored.map(pathText));
  if (!listed.ok) return listed;
  const [nested] = listed.value.nested;
  if (nested !== undefined) return cannotKeep(`"${nested}" is a separate repository`);
  const stamp = await stampOf(repository, listed.value);
  const record = await recordOf(runner, repository, head, branch, listed.value);
  if (!record.ok) return record;
  const commit = await commitRecord(runner, repository, record.value);
  if (!commit.ok) return commit;
  const args = ['update-ref', parkRef(worktreeId), commit.value];
  const kept = await expectGit(runner, { cwd: repository.root, writes: true, args });
  if (!kept.ok) return kept;
  const verified = await verify(runner, repository, commit.value, record.value);
  if (!verified.ok) return verified;
  return (await stampOf(repository, listed.value)) === stamp ? ok({ commit: commit.value, stamp }) : changedMeanwhile;
}

const changedMeanwhile = fail(
  'STALE',
  'A file changed while the worktree was being parked. Nothing was removed. Try again.',
);
const cannotKeep = (why: string) =>
  fail('WORKTREE_DIRTY', `This worktree can't be parked: ${why}. Move it away, then try again.`);
const wouldLose = (notKept: readonly NotKeptEntry[]) =>
  fail(
    'WORKTREE_DIRTY',
    `Ignored files would be lost: ${notKept
      .slice(0, 3)
      .map(({ path }) => path)
      .join(', ')}.`,
    {
      notKept,
    },
  );

/** Whether anything that was kept has changed since. */
export async function stampOf({ root, gitDir }: Repository, { present, deleted }: ParkedFiles): Promise<string> {
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

/** The files and links in an ignored folder, or the file itself. Nothing behind a link. */
async function filesIn(root: string, path: Buffer): Promise<Buffer[]> {
  const found = await lstat(Buffer.concat([Buffer.from(`${root}/`), path])).catch(() => null);
  if (found?.isFile() || found?.isSymbolicLink()) return [path];
  if (!found?.isDirectory()) return [];
  const names = await readdir(Buffer.concat([Buffer.from(`${root}/`), path]), { encoding: 'buffer' });
  const below = await Promise.all(names.map((name) => filesIn(root, Buffer.concat([path, Buffer.from('/'), name]))));
  return below.flat();
}

type Kept = {
  readonly record: ParkRecord;
  readonly index: string;
  readonly staged: readonly Side[];
  readonly parents: readonly string[];
};

async function recordOf(
  runner: GitRunner,
  repository: Repository,
  head: string,
  branch: string | null,
  { present, deleted, modes }: ParkedFiles,
): Promise<Result<Kept>> {
  const files = await storeFiles(runner, repository, present);
  if (!files.ok) return files;
  const index = await storeIndex(runner, repository);
  if (!index.ok) return index;
  const staged = await stagedContents(runner, repository, head);
  if (!staged.ok) return staged;
  const found = await Promise.all(
    stateFiles.map(async (name) => ({
      name,
      text: await readFile(join(repository.gitDir, name), 'utf8').catch(() => null),
    })),
  );
  const state = found.flatMap(({ name, text }) => (text === null ? [] : [{ name, text }]));
  const parents = state.flatMap(({ name, text }) =>
    stateCommits.has(name) ? text.split('\n').filter((line) => /^[0-9a-f]{40,64}$/.test(line)) : [],
  );
  const { hash } = repository;
  const about = { head, branch, deleted: [...deleted], modes: [...modes], state, hash };
  const record: ParkRecord = { version: 1, files: files.value, ...about };
  return ok({ record, index: index.value, staged: staged.value, parents: [head, ...parents] });
}

/** The index file itself. A split index is joined first, because its other half is removed with the worktree. */
async function storeIndex(runner: GitRunner, repository: Repository): Promise<Result<string>> {
  const { gitDir, root } = repository;
  const source = join(gitDir, 'index');
  const isSplit = (await readdir(gitDir)).some((name) => name.startsWith('sharedindex.'));
  if (!isSplit) return writeBlob(runner, repository, await readFile(source));
  const copy = join(gitDir, `liminal-park-${randomUUID()}`);
  try {
    const { atime, mtime } = await lstat(source);
    await copyFile(source, copy);
    await utimes(copy, atime, mtime);
    const env = { GIT_INDEX_FILE: copy };
    const joined = await expectGit(runner, {
      cwd: root,
      env,
      writes: true,
      args: ['update-index', '--no-split-index'],
    });
    return joined.ok ? await writeBlob(runner, repository, await readFile(copy)) : joined;
  } finally {
    await rm(copy, { force: true });
  }
}

/** Contents that only the index references: staged ones, and all sides of a conflict. */
async function stagedContents(runner: GitRunner, { root }: Repository, head: string): Promise<Result<Side[]>> {
  const reader = createEntryReader(0);
  const args = [
    'diff-index',
    '--cached',
    '--raw',
    '-z',
    '--no-abbrev',
    '--no-renames',
    '--ignore-submodules=all',
    head,
  ];
  const ran = await expectGit(runner, { cwd: root, args, onField: reader.push });
  if (!ran.ok) return ran;
  const unmerged = await expectGit(runner, { cwd: root, args: ['ls-files', '--unmerged', '-z'] });
  if (!unmerged.ok) return unmerged;
  const sides = [
    ...reader.entries.flatMap(({ newId, newMode }) => (newId === null ? [] : [{ id: newId, mode: newMode }])),
    ...fieldsOf(unmerged.value.stdout).map((field) => {
      const [mode = '', id = ''] = field.toString('latin1').split(/[ \t]/);
      return { mode, id };
    }),
  ];
  return ok(sides.filter(({ mode }) => mode !== '160000'));
}

async function commitRecord(runner: GitRunner, repository: Repository, kept: Kept): Promise<Result<string>> {
  const meta = await writeBlob(runner, repository, Buffer.from(JSON.stringify(kept.record)));
  if (!meta.ok) return meta;
  const blob = (id: string): Side => ({ mode: '100644', id });
  const tree = await treeOf(
    runner,
    repository,
    new Map([
      ['meta.json', blob(meta.value)],
      ['index', blob(kept.index)],
      ...kept.record.files.map(({ id }, place) => [`w/${place}`, blob(id)] as const),
      ...kept.staged.map(({ id }, place) => [`i/${place}`, blob(id)] as const),
    ]),
  );
  if (!tree.ok) return tree;
  const parents = kept.parents.flatMap((id) => ['-p', id]);
  const who = { name: 'Liminal Builder', email: 'liminal@localhost' };
  const ran = await expectGit(runner, {
    cwd: repository.root,
    writes: true,
    args: ['commit-tree', ...parents, '-m', 'Parked worktree', tree.value],
    env: {
      GIT_AUTHOR_NAME: who.name,
      GIT_AUTHOR_EMAIL: who.email,
      GIT_COMMITTER_NAME: who.name,
      GIT_COMMITTER_EMAIL: who.email,
    },
  });
  return ran.ok ? ok(ran.value.stdout.toString().trim()) : ran;
}

/** Reads back everything that was stored, and compares it with the folder. */
async function verify(
  runner: GitRunner,
  repository: Repository,
  commit: string,
  { record, index, staged }: Kept,
): Promise<Result<null>> {
  const { root, hash } = repository;
  const wanted = [...record.files.map(({ id }) => id), index, ...staged.map(({ id }) => id)];
  const readable = new Set<string>();
  const read = await readContents(runner, repository, wanted, (id, content) => {
    if (blobId(hash, content) === id) readable.add(id);
  });
  if (!read.ok) return read;
  const listed = await expectGit(runner, { cwd: root, args: ['ls-tree', '-r', '-z', commit] });
  if (!listed.ok) return listed;
  const inTree = new Set(fieldsOf(listed.value.stdout).map((field) => field.toString('latin1').split(/[ \t]/)[2]));
  for (const { path, id, mode } of record.files) {
    const found = await lstat(pathIn(root, path)).catch(() => null);
    if (!found || found.mode !== mode) return changedMeanwhile;
    const content = found.isSymbolicLink()
      ? await readlink(pathIn(root, path), { encoding: 'buffer' })
      : await readFile(pathIn(root, path));
    if (blobId(hash, content) !== id) return changedMeanwhile;
    if (!inTree.has(id) || !readable.has(id))
      return fail('GIT_FAILED', `"${path}" couldn't be kept. Nothing was removed.`);
  }
  const isWhole = wanted.every((id) => readable.has(id));
  return isWhole ? ok(null) : fail('GIT_FAILED', "The staged changes couldn't be kept. Nothing was removed.");
}
