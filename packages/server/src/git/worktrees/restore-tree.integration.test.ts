import { mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { folderState } from '../../worktrees/testing/folder-state.ts';
import { findRepository, type Repository } from '../repository.ts';
import { createGitRunner } from '../run-git.ts';
import { createTestRepository, type TestRepository } from '../testing/test-repository.ts';
import { parkTree } from './park-tree.ts';
import type { ParkRecord } from './park-record.ts';
import { restoreTree } from './restore-tree.ts';

const runner = createGitRunner();
let repository: TestRepository;
let root: string;
beforeEach(() => {
  repository = createTestRepository();
  repository.put('docs/x', 'tracked\n');
  repository.put('.gitignore', 'tree\n');
  root = join(repository.dir, 'tree');
});
afterEach(() => repository.cleanup());

const open = async (folder: string): Promise<Repository> => {
  const found = await findRepository(runner, folder);
  return found.ok ? found.value : expect.unreachable();
};
const addTree = (): void => {
  repository.commit();
  repository.git('worktree', 'add', '--quiet', '--detach', root);
};
async function park(): Promise<string> {
  const parked = await parkTree(runner, await open(root), { worktreeId: 'w', keep: [], dropIgnored: false });
  if (!parked.ok) throw new Error(parked.failure.message);
  repository.git('worktree', 'remove', '--force', root);
  return parked.value.commit;
}
const restore = async (commit: string) =>
  restoreTree(runner, await open(repository.dir), { root, commit, reason: 'test' }, (task) => task());
const replaceByLink = (): void => {
  rmSync(join(root, 'docs'), { recursive: true });
  mkdirSync(join(root, 'other'));
  writeFileSync(join(root, 'other/x'), 'in the other folder\n');
  symlinkSync('other', join(root, 'docs'));
};

it('WT-4: restores a link that replaced a folder with the same file names', async () => {
  addTree();
  replaceByLink();
  const before = folderState(root);
  expect(await restore(await park())).toMatchObject({ ok: true });
  expect(folderState(root)).toEqual(before);
});

it('WT-4: restores such a link from an older record, which lists what was behind it', async () => {
  addTree();
  replaceByLink();
  const commit = await park();
  const { files, ...rest } = JSON.parse(repository.git('show', `${commit}:meta.json`)) as ParkRecord;
  const other = files.find(({ path }) => path === 'other/x') ?? expect.unreachable();
  const older = { ...rest, deleted: [], files: [...files, { ...other, path: 'docs/x' }] };
  repository.put('meta.json', JSON.stringify(older));
  repository.git('read-tree', commit);
  repository.git('add', 'meta.json');
  const tree = repository.git('write-tree').trim();
  const parent = repository.git('rev-parse', 'HEAD').trim();
  expect(await restore(repository.git('commit-tree', tree, '-p', parent, '-m', 'older').trim())).toMatchObject({
    ok: true,
  });
  expect(readlinkSync(join(root, 'docs'))).toBe('other');
  expect(readFileSync(join(root, 'other/x'), 'utf8')).toBe('in the other folder\n');
});

it('WT-4: deletes nothing behind a link of the commit when the index has a folder there', async () => {
  symlinkSync('docs', join(repository.dir, 'link'));
  addTree();
  rmSync(join(root, 'link'));
  mkdirSync(join(root, 'link'));
  writeFileSync(join(root, 'link/x'), 'staged\n');
  repository.git('-C', root, 'add', '--all');
  rmSync(join(root, 'link'), { recursive: true });
  symlinkSync('docs', join(root, 'link'));
  const before = folderState(root);
  expect(await restore(await park())).toMatchObject({ ok: true });
  expect(folderState(root)).toEqual(before);
});
