import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findEscapingLink, rejectEscapingLinks } from './escaping-links.ts';

let root: string;
let folder: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'liminal-escaping-links-')));
  folder = join(root, 'repository');
  put('outside/secret', 'secret');
  put('repository/.git/HEAD', 'ref: refs/heads/main\n');
  put('repository/.git/refs/heads/main', '0'.repeat(40));
  put('repository/.claude/settings.json', '{}');
});
afterEach(() => rmSync(root, { recursive: true }));

function put(path: string, words: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), words);
}

function link(from: string, to: string): void {
  mkdirSync(dirname(join(root, from)), { recursive: true });
  symlinkSync(to, join(root, from));
}

describe('links out of a folder that Claude Code would follow', () => {
  test('finds none in an ordinary repository, or in an empty folder', async () => {
    mkdirSync(join(root, 'empty'));
    expect(await findEscapingLink(folder, undefined)).toBeUndefined();
    expect(await findEscapingLink(join(root, 'empty'), undefined)).toBeUndefined();
  });

  test.each([
    '.git/packed-refs',
    '.git/refs/remotes/origin/HEAD',
    '.git/commondir',
    '.claude/settings.local.json',
    '.claude/skills',
    '.claude/skills/one',
    '.claude/skills/one/SKILL.md',
  ])('finds the link %s', async (path) => {
    link(`repository/${path}`, join(root, 'outside/secret'));
    expect(await findEscapingLink(folder, undefined)).toBe(path);
    await expect(rejectEscapingLinks(folder, undefined)).rejects.toMatchObject({ code: 'PROJECT_NOT_TRUSTED' });
  });

  test('finds a link through a link inside, and a dangling one', async () => {
    link('repository/.claude/skills', '../skills');
    put('repository/skills/one/SKILL.md', '');
    expect(await findEscapingLink(folder, undefined)).toBeUndefined();
    link('repository/skills/two', '../../nowhere');
    expect(await findEscapingLink(folder, undefined)).toBe('.claude/skills/two');
  });

  test('looks into the place that a repository names, however it is named', async () => {
    rmSync(join(folder, '.git'), { recursive: true });
    put('repository/.git', 'gitdir: kept\n');
    put('repository/kept/HEAD', 'ref: refs/heads/main\n');
    expect(await findEscapingLink(folder, undefined)).toBeUndefined();
    link('repository/kept/packed-refs', join(root, 'outside/secret'));
    expect(await findEscapingLink(folder, undefined)).toBe('kept/packed-refs');
    rmSync(join(folder, 'kept/packed-refs'));
    put('repository/kept/commondir', '../../outside\n');
    expect(await findEscapingLink(folder, undefined)).toBe('kept/commondir');
  });

  test('finds a place outside in a file that is long or behind a link', async () => {
    rmSync(join(folder, '.git'), { recursive: true });
    put('repository/.git', `gitdir: ${join(root, 'outside')}${'\n'.repeat(9_000)}`);
    expect(await findEscapingLink(folder, undefined)).toBe('.git');
    rmSync(join(folder, '.git'));
    put('repository/named', `gitdir: ${join(root, 'outside')}\n`);
    link('repository/.git', 'named');
    expect(await findEscapingLink(folder, undefined)).toBe('.git');
  });

  test('rejects repositories that name each other without end', async () => {
    rmSync(join(folder, '.git'), { recursive: true });
    put('repository/.git', 'gitdir: 0\n');
    for (let place = 0; place < 9; place += 1) put(`repository/${place}/commondir`, `../${place + 1}\n`);
    expect(await findEscapingLink(folder, undefined)).toBe('4');
  });

  test('finds a repository that names another place, unless that is inside the folder', async () => {
    put('repository/.git/commondir', '.\n');
    expect(await findEscapingLink(folder, undefined)).toBeUndefined();
    put('repository/.git/commondir', '../../outside\n');
    expect(await findEscapingLink(folder, undefined)).toBe('.git/commondir');
    put('copy/.git', `gitdir: ${join(folder, '.git')}\n`);
    expect(await findEscapingLink(join(root, 'copy'), undefined)).toBe('.git');
  });

  test('also checks the repository a folder is in', async () => {
    put('repository/packages/one/index.js', '');
    link('repository/packages/one/.claude/skills', '../../../.claude');
    expect(await findEscapingLink(join(folder, 'packages/one'), undefined)).toBeUndefined();
    link('repository/.claude/skills', join(root, 'outside'));
    expect(await findEscapingLink(join(folder, 'packages/one'), undefined)).toBe('.claude/skills/skills');
  });

  test("ignores a user's own settings and full copies of a repository", async () => {
    link('repository/.claude/worktrees/one/link', join(root, 'outside'));
    expect(await findEscapingLink(folder, undefined)).toBeUndefined();
    link('repository/.claude/skills', join(root, 'outside'));
    expect(await findEscapingLink(folder, folder)).toBeUndefined();
  });

  test('a repository of the whole home is not a boundary', async () => {
    put('home/.git/HEAD', 'ref: refs/heads/main\n');
    put('home/.ssh/key', 'secret');
    put('home/work/package/index.js', '');
    const home = join(root, 'home');
    const work = join(home, 'work/package');
    expect(await findEscapingLink(work, home)).toBeUndefined();
    link('home/work/package/.claude/skills', join(home, '.ssh'));
    expect(await findEscapingLink(work, home)).toBe('.claude/skills');
    rmSync(join(work, '.claude'), { recursive: true });
    link('home/work/.claude/settings.json', join(home, '.ssh/key'));
    expect(await findEscapingLink(work, home)).toBe('../.claude/settings.json');
  });

  test('checks a repository inside another one by itself', async () => {
    put('home/.git/HEAD', 'ref: refs/heads/main\n');
    put('home/.ssh/key', 'secret');
    put('home/work/.git/HEAD', 'ref: refs/heads/main\n');
    const home = join(root, 'home');
    expect(await findEscapingLink(join(home, 'work'), home)).toBeUndefined();
    link('home/work/.git/packed-refs', join(home, '.ssh/key'));
    expect(await findEscapingLink(join(home, 'work'), home)).toBe('.git/packed-refs');
  });
});
