import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { deleteSlowly, listAside, setAside } from './set-aside.ts';

let parent: string;
beforeEach(() => (parent = mkdtempSync(join(tmpdir(), 'liminal-aside-'))));
afterEach(() => rmSync(parent, { recursive: true }));

const make = (name: string): string => {
  const root = join(parent, name);
  mkdirSync(join(root, 'deep/deeper'), { recursive: true });
  writeFileSync(join(root, 'deep/deeper/file'), 'x');
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe])]), 'not UTF-8');
  return root;
};

it('takes a folder away at once, and finds it again to delete it', async () => {
  const [root, other] = [make('work'), make('other')];
  expect(await setAside(root)).toBe(true);
  expect(existsSync(root)).toBe(false);
  const aside = await listAside(parent);
  expect(aside).toHaveLength(1);
  await deleteSlowly(aside[0] ?? '', new AbortController().signal);
  expect(readdirSync(parent)).toEqual(['other']);
  expect(existsSync(join(other, 'deep/deeper/file'))).toBe(true);
});

it('says if there is nothing to set aside, and lists only folders it named itself', async () => {
  expect(await setAside(join(parent, 'none'))).toBe(false);
  make('.liminal-removed-mine');
  make('work');
  expect(await listAside(parent)).toEqual([]);
  expect(await listAside(join(parent, 'none'))).toEqual([]);
});

it('deletes a link, and nothing behind it', async () => {
  const [root, other] = [make('work'), make('other')];
  symlinkSync(other, join(root, 'link'));
  await deleteSlowly(root, new AbortController().signal);
  expect([existsSync(root), existsSync(join(other, 'deep/deeper/file'))]).toEqual([false, true]);
});

it('stops when its signal aborts', async () => {
  const root = make('work');
  await deleteSlowly(root, AbortSignal.abort());
  expect(existsSync(join(root, 'deep/deeper/file'))).toBe(true);
});
