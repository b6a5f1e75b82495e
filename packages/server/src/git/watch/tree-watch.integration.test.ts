import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { got } from '../git.contract.ts';
import { createGit, type GitDeps } from '../real-git.ts';
import { createGitRunner, type GitRunner } from '../run-git.ts';
import { createTestRepository, type TestRepository } from '../testing/test-repository.ts';
import type { TreeWatch } from './tree-watch.ts';

let repository: TestRepository;
let watches: TreeWatch[];
let events: number;
beforeEach(() => {
  repository = createTestRepository();
  repository.put('.gitignore', 'node_modules/\n');
  repository.put('src/deep/a.txt', 'one\n');
  repository.put('node_modules/x/y.js', 'x\n');
  repository.commit();
  watches = [];
  events = 0;
});
afterEach(() => {
  for (const watch of watches) watch.stop();
  repository.cleanup();
});

async function start(deps: GitDeps = {}): Promise<TreeWatch> {
  const tree = got(await createGit(deps).open(repository.dir));
  const watch = tree.watch(() => void (events += 1));
  watches.push(watch);
  await watch.ready;
  return watch;
}
/** Runs an action and waits until it was noticed. */
async function expectNoticed(watch: TreeWatch, act: () => void): Promise<void> {
  const before = await watch.mark();
  act();
  await expect.poll(async () => (await watch.mark()) !== null && (await watch.mark()) !== before).toBe(true);
}

describe('a watched working tree', () => {
  it('RV-2: notices edits, new files, new folders and their files, renames and deletions', async () => {
    const watch = await start();
    const edits: (() => void)[] = [
      () => repository.put('src/deep/a.txt', 'two\n'),
      () => repository.put('src/new.txt', 'x\n'),
      () => repository.put('made/in/one/go.txt', 'x\n'),
      () => repository.put('made/in/one/go.txt', 'y\n'),
      () => renameSync(join(repository.dir, 'made'), join(repository.dir, 'moved')),
      () => repository.put('moved/in/one/go.txt', 'z\n'),
      () => repository.remove('moved'),
      () => repository.put('moved/in/again.txt', 'x\n'),
      () => repository.put('moved/in/again.txt', 'y\n'),
      () => symlinkSync('deep', join(repository.dir, 'src/link')),
    ];
    for (const edit of edits) await expectNoticed(watch, edit);
    await expect.poll(() => events).toBeGreaterThan(0);
  });

  it('RV-2: notices the first file in a folder that was empty, ignored, or full of ignored files', async () => {
    repository.put('.gitignore', 'node_modules/\nlater/\n*.log\n');
    for (const folder of ['empty/in/it', 'later/in']) mkdirSync(join(repository.dir, folder), { recursive: true });
    repository.put('logs/a.log', 'x\n');
    const watch = await start();
    await expectNoticed(watch, () => repository.put('empty/in/it/a.txt', 'x\n'));
    await expectNoticed(watch, () => repository.put('logs/a.txt', 'x\n'));
    await expectNoticed(watch, () => repository.put('.gitignore', 'node_modules/\n*.log\n'));
    await expectNoticed(watch, () => repository.put('later/in/a.txt', 'x\n'));
  });

  it('RV-2: looks into no repository inside this one', async () => {
    repository.git('init', '--quiet', 'inner');
    repository.put('inner/src/a.txt', 'x\n');
    const watch = await start();
    const before = await watch.mark();
    repository.put('inner/src/a.txt', 'y\n');
    expect(await watch.mark()).toBe(before);
  });

  it('RV-2: reports that it no longer knows the files once another folder has taken the place of the root', async () => {
    const watch = await start();
    const moved = `${repository.dir}-moved`;
    renameSync(repository.dir, moved);
    cpSync(moved, repository.dir, { recursive: true });
    await expect.poll(() => watch.coverage()).toBe('repository');
    expect(await watch.mark()).toBeNull();
    rmSync(moved, { recursive: true });
  });

  it('RV-2: notices git operations: stage, commit, switch', async () => {
    const watch = await start();
    repository.put('src/deep/a.txt', 'two\n');
    await expectNoticed(watch, () => repository.git('add', '.'));
    await expectNoticed(watch, () => repository.git('commit', '--quiet', '--message', 'two'));
    await expectNoticed(watch, () => repository.git('switch', '--quiet', '--create', 'topic'));
  });

  it('RV-2: doesn’t watch ignored folders, old or new', async () => {
    repository.put('.gitignore', 'node_modules/\nbuild/\n');
    const watch = await start();
    await expectNoticed(watch, () => repository.put('build/deep/x.txt', 'x\n'));
    const before = await watch.mark();
    repository.put('build/deep/x.txt', 'y\n');
    repository.put('node_modules/x/y.js', 'y\n');
    expect(await watch.mark()).toBe(before);
  });

  it('RV-2: doesn’t count our own snapshots and lists as changes', async () => {
    const watch = await start();
    repository.put('src/deep/a.txt', 'two\n');
    const tree = got(await createGit().open(repository.dir));
    got(await tree.keep('turn/one'));
    const before = await watch.mark();
    got(await tree.keep('turn/two'));
    got(await tree.changes({ kind: 'uncommitted' }));
    expect(await watch.mark()).toBe(before);
  });

  it('RV-2: watches only git’s own files beyond the limit, and reports that', async () => {
    const watch = await start({ mostWatchedFolders: 2 });
    expect([watch.coverage(), await watch.mark()]).toEqual(['repository', null]);
    await expect.poll(() => events).toBe(1);
    repository.git('switch', '--quiet', '--create', 'topic');
    await expect.poll(() => events, { timeout: 20_000 }).toBeGreaterThan(1);
  });

  it('G-3: shares one watch between watchers of a tree, and starts no process while it is idle', async () => {
    const real = createGitRunner();
    let processes = 0;
    const runner: GitRunner = (run) => {
      processes += 1;
      return real(run);
    };
    const git = createGit({ runner });
    const tree = got(await git.open(repository.dir));
    const [one, two] = [tree.watch(() => {}), got(await git.open(repository.dir)).watch(() => {})];
    watches.push(one, two);
    await Promise.all([one.ready, two.ready]);
    const listed = processes;
    one.stop();
    expect(await two.mark()).not.toBeNull();
    await expectNoticed(two, () => repository.put('src/deep/a.txt', 'two\n'));
    expect(processes).toBe(listed);
  });
});
