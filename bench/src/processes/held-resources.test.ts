import { mkdirSync, mkdtempSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { childrenOf, watchesOf } from './held-resources.ts';

it('counts the watches of a process', () => {
  const folder = mkdtempSync(join(tmpdir(), 'liminal-watches-'));
  mkdirSync(join(folder, 'inside'));
  const before = watchesOf(process.pid);
  const watchers = [folder, join(folder, 'inside')].map((path) => watch(path));
  const during = watchesOf(process.pid);
  for (const watcher of watchers) watcher.close();
  expect([during - before, watchesOf(process.pid) - before]).toEqual([2, 0]);
  rmSync(folder, { recursive: true });
});

it('finds the processes that one has started, and nothing of one that is gone', () => {
  expect(childrenOf(process.ppid)).toContain(process.pid);
  expect([childrenOf(2 ** 30), watchesOf(2 ** 30)]).toEqual([[], 0]);
});
