import { randomUUID } from 'node:crypto';
import { copyFile, lstat, readdir, readFile, readlink, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';
import { pathIn } from '../path-text.ts';
import type { ChangedEntry } from '../changed-entries.ts';
import { writeBlob } from '../index-entries.ts';
import { fieldsOf } from '../nul-fields.ts';
import { blobId, type Repository } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';
import { treeOf, type Side } from '../snapshots/kept-trees.ts';
import { stateCommits, stateFiles, type ParkRecord } from './park-record.ts';
import { storeFiles, type ParkedFiles } from './parked-files.ts';
import { readContents } from './read-contents.ts';

export const changedMeanwhile = fail(
  'STALE',
  'A file changed while the worktree was being parked. Nothing was removed. Try again.',
);

/** What goes into the commit of a parked worktree. */
export type Kept = {
  readonly record: ParkRecord;
  readonly index: string;
  readonly staged: readonly Side[];
  readonly parents: readonly string[];
};

/** Stores the bytes of everything that must be kept, and describes it. */
export async function storeWork(
  runner: GitRunner,
  repository: Repository,
  { head, branch }: { readonly head: string; readonly branch: string | null },
  { present, deleted, modes }: ParkedFiles,
  changes: readonly ChangedEntry[],
): Promise<Result<Kept>> {
  const files = await storeFiles(runner, repository, present);
  if (!files.ok) return files;
  const index = await storeIndex(runner, repository);
  if (!index.ok) return index;
  const staged = await stagedContents(runner, repository, changes);
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
async function stagedContents(
  runner: GitRunner,
  { root }: Repository,
  staged: readonly ChangedEntry[],
): Promise<Result<Side[]>> {
  const unmerged = await expectGit(runner, { cwd: root, args: ['ls-files', '--unmerged', '-z'] });
  if (!unmerged.ok) return unmerged;
  const sides = [
    ...staged.flatMap(({ newId, newMode }) => (newId === null ? [] : [{ id: newId, mode: newMode }])),
    ...fieldsOf(unmerged.value.stdout).map((field) => {
      const [mode = '', id = ''] = field.toString('latin1').split(/[ \t]/);
      return { mode, id };
    }),
  ];
  return ok(sides.filter(({ mode }) => mode !== '160000'));
}

/** One commit that, once a ref points to it, protects all of this from git's garbage collection. */
export async function commitRecord(runner: GitRunner, repository: Repository, kept: Kept): Promise<Result<string>> {
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
export async function verify(
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
