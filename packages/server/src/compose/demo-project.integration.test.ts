import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createGitRunner } from '../git/run-git.ts';
import { createDemoProject } from './demo-project.ts';

let dataDir: string;
beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), 'liminal-demo-data-'))));
afterEach(() => rmSync(dataDir, { recursive: true }));

const nameless = { PATH: process.env['PATH'], HOME: '/nonexistent' };

test('creates the demo project as a repository with one commit, where a user without a Git identity can commit', async () => {
  const demoProject = createDemoProject(dataDir, createGitRunner({ environment: nameless }));
  const [folder, again] = await Promise.all([demoProject(), demoProject()]);
  expect(again).toBe(folder);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env: nameless }).toString();
  expect(git('status', '--porcelain')).toBe('');
  expect(git('log', '--format=%s').trim().split('\n')).toHaveLength(1);
  writeFileSync(join(folder, 'README.md'), 'changed');
  git('commit', '--quiet', '--all', '--message', 'mine');
  expect(await demoProject()).toBe(folder);
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('changed');
  expect(readdirSync(dataDir)).toEqual(['demo-project']);
});

test('creates the demo project as plain files if git is missing', async () => {
  const folder = await createDemoProject(dataDir, createGitRunner({ command: 'no-such-git' }))();
  expect(existsSync(join(folder, 'src/greeting.js'))).toBe(true);
  expect(existsSync(join(folder, '.git'))).toBe(false);
});
