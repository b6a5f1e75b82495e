import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkMentions, isBelow } from './is-in-folder.ts';
import { createFileFinder } from './file-finder.ts';
import { listFiles } from './list-files.ts';
import { createGit } from '../git/real-git.ts';
import { walkFolder } from './walk-folder.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'liminal-files-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const realGit = createGit();
const listIn = (folder: string, trusted: boolean) => listFiles(folder, trusted ? realGit : null);
const put = (...paths: string[]) => {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  }
};
const git = (...args: string[]) => execFileSync('git', args, { cwd: join(root, 'app'), stdio: 'ignore' });
const found = async (query: string, folder = 'app') =>
  (await createFileFinder({ list: listIn }).find({ dir: join(root, folder), trusted: true }, query, 20)).files.map(
    ({ path }) => path,
  );

describe('the files of a project', () => {
  it('are those that git doesn’t ignore, tracked or new', async () => {
    put('app/src/button.ts', 'app/new.ts', 'app/secret.log', 'app/node_modules/x/button.ts', 'outside.ts');
    writeFileSync(join(root, 'app/.gitignore'), 'node_modules\n*.log\n');
    git('init', '-q');
    git('add', 'src/button.ts');
    expect([...(await listIn(join(root, 'app'), true)).paths].sort()).toEqual([
      '.gitignore',
      'new.ts',
      'src/',
      'src/button.ts',
    ]);
    expect(await found('button')).toEqual(['src/button.ts']);
    expect(await found('src')).toEqual(['src', 'src/button.ts']);
    expect(
      (await createFileFinder({ list: listIn }).find({ dir: join(root, 'app'), trusted: true }, '', 1)).total,
    ).toBe(3);
  });

  it('are listed without running the repository’s own configuration', async () => {
    put('app/a.ts');
    git('init', '-q');
    writeFileSync(join(root, 'hook'), `#!/bin/sh\ntouch ${root}/was-run\n`, { mode: 0o755 });
    git('config', 'core.fsmonitor', join(root, 'hook'));
    expect((await listIn(join(root, 'app'), true)).paths).toEqual(['a.ts']);
    expect(() => execFileSync('test', ['-e', `${root}/was-run`])).toThrow();
  });

  it('are listed without git in a folder that isn’t trusted', async () => {
    put('app/a.ts', 'app/b.log');
    git('init', '-q');
    writeFileSync(join(root, 'app/.gitignore'), '*.log\n');
    const names = async (trusted: boolean) => (await listIn(join(root, 'app'), trusted)).paths.toSorted();
    expect(await names(true)).toEqual(['.gitignore', 'a.ts']);
    expect(await names(false)).toEqual(['.gitignore', 'a.ts', 'b.log']);
    const finder = createFileFinder({ list: listIn });
    const find = async (trusted: boolean) => (await finder.find({ dir: join(root, 'app'), trusted }, 'b', 9)).files;
    expect([(await find(false)).length, (await find(true)).length]).toEqual([1, 0]);
  });

  it('leave out commonly ignored folders without git, and follow no links', async () => {
    put('app/src/a.ts', 'app/node_modules/x.js', 'app/.hidden', 'elsewhere/secret.txt');
    symlinkSync(join(root, 'elsewhere'), join(root, 'app/link'));
    symlinkSync(join(root, 'elsewhere/secret.txt'), join(root, 'app/secret.txt'));
    expect([...(await listIn(join(root, 'app'), true)).paths].sort()).toEqual(['.hidden', 'src/', 'src/a.ts']);
    expect(await found('secret')).toEqual([]);
  });

  it('are listed only up to the limits', async () => {
    put('a/1', 'a/2', 'a/b/3');
    expect(await walkFolder(root, { mostFiles: 2, mostMs: 1000 })).toMatchObject({ truncated: true });
    expect(await walkFolder(root, { mostFiles: 9, mostMs: -1 })).toEqual({ files: [], truncated: true });
    expect(await walkFolder(join(root, 'none'), { mostFiles: 9, mostMs: 1000 })).toEqual({
      files: [],
      truncated: false,
    });
  });

  it('leave out missing files and links that lead out', async () => {
    put('app/gone.ts', 'app/there.ts', 'secret.ts');
    symlinkSync('../secret.ts', join(root, 'app/link.ts'));
    git('init', '-q');
    git('add', '.');
    rmSync(join(root, 'app/gone.ts'));
    expect(await found('ts')).toEqual(['there.ts']);
  });

  it('come from the old list while a new one is made', async () => {
    put('a.ts', 'b.ts');
    let now = 0;
    const list = vi.fn(async () => ({ paths: now === 0 ? ['a.ts'] : ['a.ts', 'b.ts'], files: 2, truncated: false }));
    const finder = createFileFinder({ list, now: () => now, staleMs: 100 });
    const ask = async () => (await finder.find({ dir: root, trusted: true }, '', 9)).files.map(({ path }) => path);
    expect(await Promise.all([ask(), ask()])).toEqual([['a.ts'], ['a.ts']]);
    expect(list).toHaveBeenCalledTimes(1);
    now = 200;
    expect(await ask()).toEqual(['a.ts']);
    await vi.waitFor(async () => expect(await ask()).toEqual(['a.ts', 'b.ts']));
  });
});

describe('mentions of files', () => {
  it.each(['src/a.ts', './src', 'src/../src/a.ts'])('accepts %j inside the project', async (mention) => {
    put('app/src/a.ts');
    expect(await checkMentions(join(root, 'app'), [mention])).toEqual({ ok: true, value: null });
  });

  it.each([
    '..',
    'src/../..',
    '../secret.txt',
    '/etc/passwd',
    'link/secret.txt',
    'none.ts',
    '../app-2/a.ts',
    'a\0b',
    'src/../../secret.txt',
  ])('rejects %j', async (mention) => {
    put('app/src/a.ts', 'app-2/a.ts', 'secret.txt');
    symlinkSync(root, join(root, 'app/link'));
    expect(await checkMentions(join(root, 'app'), ['src/a.ts', mention])).toMatchObject({
      ok: false,
      failure: { code: 'INVALID_REQUEST' },
    });
  });

  it('compares paths by their segments', () => {
    expect(isBelow('/work/app', '/work')).toBe(false);
    expect(isBelow('/work/app', '/work/app')).toBe(true);
    expect(isBelow('/work/app', '/work/app-2')).toBe(false);
    expect(isBelow('/work/app', '/work/app/..a')).toBe(true);
    expect(isBelow('/', '/anything')).toBe(true);
  });
});
