import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listAside, setAside } from '../git/worktrees/set-aside.ts';
import { createRemovedFolders } from './removed-folders.ts';

let parent: string;
beforeEach(() => (parent = mkdtempSync(join(tmpdir(), 'liminal-removed-'))));
afterEach(() => rmSync(parent, { recursive: true }));

const make = (name: string): string => {
  const root = join(parent, name);
  mkdirSync(root);
  writeFileSync(join(root, 'file'), name);
  return root;
};
const fail = (error: unknown): never => {
  throw error;
};

it('WT-4: deletes what was set aside beside a worktree, and nothing else', async () => {
  const [one, two, stays] = [make('one'), make('two'), make('stays')];
  await setAside(one);
  await setAside(two);
  const removed = createRemovedFolders(fail);
  removed.tidy([one, two]);
  await removed.idle();
  expect(await listAside(parent)).toEqual([]);
  expect(existsSync(join(stays, 'file'))).toBe(true);
});

it('WT-4: leaves the rest to the next server when this one closes', async () => {
  const root = make('work');
  await setAside(root);
  const removed = createRemovedFolders(fail);
  removed.tidy([root]);
  await removed.close();
  expect(await listAside(parent)).toHaveLength(1);
  const next = createRemovedFolders(fail);
  next.tidy([root]);
  await next.idle();
  expect(await listAside(parent)).toEqual([]);
});
