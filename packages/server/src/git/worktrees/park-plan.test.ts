import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { filesIn, Unreadable } from './park-plan.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'liminal-park-plan-'));
});
// Node can't remove paths that are too long.
afterEach(() => void execFileSync('rm', ['-rf', root]));

const files = (path: string): Promise<string[]> =>
  filesIn(root, Buffer.from(path)).then((found) => found.map(String).toSorted());

it('WT-4: finds the files in an ignored folder, and none where nothing is', async () => {
  mkdirSync(join(root, 'logs/old'), { recursive: true });
  for (const path of ['logs/a', 'logs/old/b']) writeFileSync(join(root, path), '');
  expect([await files('logs'), await files('logs/a'), await files('gone')]).toEqual([
    ['logs/a', 'logs/old/b'],
    ['logs/a'],
    [],
  ]);
});

it('WT-4: names what it can’t read, instead of leaving it out', async () => {
  const name = 'n'.repeat(250);
  execFileSync('sh', ['-c', `for each in $(seq 20); do mkdir ${name} && cd ${name}; done; touch file`], {
    cwd: root,
    stdio: 'ignore',
  });
  const reading = files(name);
  await expect(reading).rejects.toBeInstanceOf(Unreadable);
  await expect(reading).rejects.toThrow(/^"n+\/.*" can't be read \(ENAMETOOLONG\)$/);
});
