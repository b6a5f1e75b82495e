import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRepositoryFinder } from '../opening/repository-finder.ts';
import { got } from '../git.contract.ts';
import { readHeadFile } from '../opening/head-file.ts';
import { createGit } from '../real-git.ts';
import { createGitRunner, type GitRunner } from '../run-git.ts';
import { createTestRepository, type TestRepository } from '../testing/test-repository.ts';

let repository: TestRepository;
let commands: string[];
const real = createGitRunner();
const runner: GitRunner = (run) => {
  commands.push(run.args[0] ?? '');
  return real(run);
};
beforeEach(() => {
  commands = [];
  repository = createTestRepository();
  repository.put('a.txt', 'one\n');
  repository.put('sub/b.txt', 'b\n');
  repository.commit();
});
afterEach(() => repository.cleanup());

const filesOf = (tree: string) => repository.git('ls-tree', '-r', '--name-only', tree).trim().split('\n');

describe('HEAD read from git’s files', () => {
  const gitDir = () => join(repository.dir, '.git');
  const read = (dir = gitDir()) => readHeadFile({ gitDir: dir, commonDir: gitDir() });
  const head = () => repository.git('rev-parse', 'HEAD').trim();

  it('matches git: on a branch, packed, with a folder of its name, detached, in a worktree', async () => {
    repository.git('switch', '--quiet', '--create', 'team/topic');
    expect(await read()).toEqual({ head: head(), branch: 'team/topic' });
    repository.git('pack-refs', '--all');
    expect(await read()).toEqual({ head: head(), branch: 'team/topic' });
    mkdirSync(join(gitDir(), 'refs/heads/team/topic/left'), { recursive: true });
    expect(await read()).toEqual({ head: head(), branch: 'team/topic' });
    const tree = join(repository.dir, '.git', 'elsewhere');
    repository.git('worktree', 'add', '--quiet', '-b', 'other', tree, 'HEAD');
    expect(await read(join(gitDir(), 'worktrees', 'elsewhere'))).toEqual({ head: head(), branch: 'other' });
    repository.git('switch', '--quiet', '--detach');
    expect(await read()).toEqual({ head: head(), branch: null });
    repository.git('symbolic-ref', 'HEAD', 'refs/heads/unborn');
    expect(await read()).toEqual({ head: null, branch: 'unborn' });
  });

  it('is left to git if the files have an unusual form', async () => {
    repository.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    repository.git('symbolic-ref', 'HEAD', 'refs/heads/alias');
    expect(await read()).toBeNull();
    const { head: id, branch } = got(await got(await createGit().open(repository.dir)).state());
    expect([id, branch]).toEqual([head(), 'main']);
    // As in a repository with a reftable.
    writeFileSync(join(gitDir(), 'HEAD'), 'ref: refs/heads/.invalid\n');
    expect(await read()).toBeNull();
    rmSync(join(gitDir(), 'HEAD'));
    symlinkSync('refs/heads/main', join(gitDir(), 'HEAD'));
    expect(await read()).toBeNull();
  });
});

describe('a known repository', () => {
  it('is not searched for again', async () => {
    const find = createRepositoryFinder(runner);
    const [first, second] = [await find(join(repository.dir, 'sub')), await find(join(repository.dir, 'sub'))];
    expect([got(second), commands]).toEqual([got(first), ['rev-parse']]);
  });

  it('G-1: is searched for again when its settings change, another one is nearer, or it was replaced', async () => {
    const find = createRepositoryFinder(runner);
    const folder = join(repository.dir, 'sub');
    expect(got(await find(folder)).root).toBe(repository.dir);
    repository.git('config', 'core.worktree', '/tmp');
    expect(await find(folder)).toMatchObject({ ok: false, failure: { code: 'NOT_A_REPOSITORY' } });
    repository.git('config', '--unset', 'core.worktree');
    expect(got(await find(folder)).root).toBe(repository.dir);
    repository.git('init', '--quiet', 'sub');
    expect(got(await find(folder)).root).toBe(folder);
    repository.remove('sub/.git');
    repository.remove('.git');
    expect(await find(folder)).toMatchObject({ ok: false, failure: { code: 'NOT_A_REPOSITORY' } });
  });
});

describe('a checkpoint of a folder that was recorded before', () => {
  const keep = async (git = createGit({ runner })) => {
    const tree = got(await git.open(repository.dir));
    const { snapshot } = got(await tree.keep('turn/one'));
    return snapshot;
  };

  it('CP-1: starts six git processes, or three if nothing changed', async () => {
    const git = createGit({ runner });
    const first = await keep(git);
    commands = [];
    expect((await keep(git)).tree).toBe(first.tree);
    expect(commands.toSorted()).toEqual(['diff-files', 'ls-files', 'update-ref']);
    commands = [];
    repository.put('a.txt', 'two\n');
    repository.put('new.txt', 'x\n');
    repository.remove('sub');
    expect(filesOf((await keep(git)).tree)).toEqual(['a.txt', 'new.txt']);
    expect(commands.slice(2)).toEqual(['update-index', 'write-tree', 'diff-tree', 'update-ref']);
    expect(commands.slice(0, 2).toSorted()).toEqual(['diff-files', 'ls-files']);
  });

  it('CP-1: respects every source of ignore rules', async () => {
    const git = createGit({ runner });
    repository.put('one.log', 'x\n');
    repository.put('two.log', 'x\n');
    repository.put('sub/three.log', 'x\n');
    expect(filesOf((await keep(git)).tree)).toHaveLength(5);
    writeFileSync(join(repository.dir, '.git/info/exclude'), 'one.log\n');
    expect(filesOf((await keep(git)).tree)).not.toContain('one.log');
    repository.git('config', 'core.excludesFile', join(repository.dir, '.git/mine'));
    writeFileSync(join(repository.dir, '.git/mine'), 'two.log\n');
    expect(filesOf((await keep(git)).tree)).not.toContain('two.log');
    repository.put('sub/.gitignore', 'three.log\n');
    expect(filesOf((await keep(git)).tree)).toEqual(['a.txt', 'sub/.gitignore', 'sub/b.txt']);
  });

  it('CP-1: keeps the original bytes of files that git converts by any attribute or setting', async () => {
    const git = createGit({ runner });
    const tree = got(await git.open(repository.dir));
    const content = async (path: string) => {
      const taken = await keep(git);
      return got(await tree.readKept(taken, path))?.content.toString();
    };
    await keep(git);
    const mixed = 'one\r\ntwo\n';
    repository.put('sub/.gitattributes', '*.txt text\n');
    repository.put('sub/deep/m.txt', mixed);
    expect(await content('sub/deep/m.txt')).toBe(mixed);
    writeFileSync(join(repository.dir, '.git/info/attributes'), '*.md text\n');
    repository.put('m.md', mixed);
    expect(await content('m.md')).toBe(mixed);
    rmSync(join(repository.dir, '.git/info/attributes'));
    repository.git('config', 'core.autocrlf', 'input');
    repository.put('m.ini', mixed);
    expect(await content('m.ini')).toBe(mixed);
  });

  it('CP-1: rewrites a tree that git’s garbage collection removed', async () => {
    const git = createGit({ runner });
    repository.put('new.txt', 'x\n');
    const { tree } = await keep(git);
    repository.git('update-ref', '-d', 'refs/liminal/turn/one');
    repository.git('gc', '--quiet', '--prune=now');
    expect((await keep(git)).tree).toBe(tree);
    expect(repository.git('cat-file', 'blob', `${tree}:new.txt`)).toBe('x\n');
  });
});
