import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ok } from '@liminal/contracts';
import { copyFiles } from './included-files.ts';

let from: string;
let to: string;
beforeEach(() => {
  [from = '', to = ''] = ['from', 'to'].map((name) => realpathSync(mkdtempSync(join(tmpdir(), `liminal-${name}-`))));
  mkdirSync(join(from, 'data'));
  writeFileSync(join(from, 'data/x'), 'x');
  writeFileSync(join(from, '.env'), 'KEY=1');
});
afterEach(() => {
  for (const folder of [from, to]) rmSync(folder, { recursive: true });
});

const paths = ['data/x', '.env'].map((path) => Buffer.from(path));

it('WT-2: leaves out a file whose folder is a file in the worktree, and copies the others', async () => {
  writeFileSync(join(to, 'data'), 'a file');
  expect(await copyFiles(from, to, paths)).toEqual(ok(1));
  expect([readFileSync(join(to, 'data'), 'utf8'), readFileSync(join(to, '.env'), 'utf8')]).toEqual(['a file', 'KEY=1']);
});

it('WT-2: fails if a file can’t be written, so the worktree is removed again', async () => {
  const message = '"data/x" could not be written (ENAMETOOLONG).';
  const copied = await copyFiles(from, join(to, 'n'.repeat(300)), paths);
  expect(copied).toMatchObject({ failure: { code: 'GIT_FAILED', message } });
});
