import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openScratch } from './scratch.ts';

let dir: string;
let demo: string;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'liminal-scratch-')));
  demo = join(dir, 'demo-project');
  mkdirSync(join(demo, 'src'), { recursive: true });
  mkdirSync(join(dir, 'own', 'src'), { recursive: true });
  writeFileSync(join(dir, 'own', 'a.js'), 'mine');
});
afterEach(() => rmSync(dir, { recursive: true }));

test('accepts only the scratch project: not a user’s folder, nor one around or below it', () => {
  expect(openScratch(demo, demo)).not.toBeNull();
  for (const folder of [join(dir, 'own'), dir, join(demo, 'src'), '/'])
    expect(openScratch(folder, demo), folder).toBeNull();
  expect(openScratch(demo, '')).toBeNull();
  expect(openScratch(demo, undefined)).toBeNull();
});

test('accepts a worktree of its repository, if both sides name each other', () => {
  const tree = join(dir, 'tree');
  const place = join(demo, '.git', 'worktrees', 'tree');
  mkdirSync(tree);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(tree, '.git'), `gitdir: ${place}\n`);
  writeFileSync(join(place, 'gitdir'), `${join(tree, '.git')}\n`);
  expect(openScratch(tree, demo)).not.toBeNull();
  // A folder that merely claims to be a worktree.
  writeFileSync(join(dir, 'own', '.git'), `gitdir: ${place}\n`);
  expect(openScratch(join(dir, 'own'), demo)).toBeNull();
});

test('no link and no path leads out of it', () => {
  symlinkSync(join(dir, 'own', 'a.js'), join(demo, 'a.js'));
  symlinkSync(join(dir, 'own', 'new.js'), join(demo, 'b.js'));
  symlinkSync(join(dir, 'own'), join(demo, 'linked'));
  const scratch = openScratch(demo, demo);
  for (const path of [
    'a.js',
    'b.js',
    'linked/a.js',
    'linked/c.js',
    '../own/a.js',
    join(dir, 'own', 'a.js'),
    '.git/x',
  ]) {
    expect(scratch?.read(path), path).toBeNull();
    expect(() => scratch?.write(path, 'theirs'), path).toThrow('not in the scratch project');
  }
  expect(readFileSync(join(dir, 'own', 'a.js'), 'utf8')).toBe('mine');
  scratch?.write('src/deep/c.js', 'text');
  expect(scratch?.read('src/deep/c.js')).toBe('text');
});
