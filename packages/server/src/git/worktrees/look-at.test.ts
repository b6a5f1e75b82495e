import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pathText } from '../path-text.ts';
import { lookAt } from './look-at.ts';

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'liminal-look-'))));
afterEach(() => rmSync(root, { recursive: true }));

it('finds files and links themselves, whatever their names, and says what is not there', async () => {
  mkdirSync(join(root, 'folder'));
  writeFileSync(join(root, 'folder/ä.txt'), 'x', { mode: 0o600 });
  symlinkSync('nowhere', join(root, 'link'));
  const odd = Buffer.from([0x66, 0xff, 0xfe]);
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), odd]), 'not UTF-8');
  const seen: Record<string, string> = {};
  await lookAt(
    root,
    ['folder/ä.txt', 'link', pathText(odd), 'gone', 'link/below', 'folder/ä.txt/below'],
    (path, found) => {
      seen[path] = found === undefined ? 'none' : found.isSymbolicLink() ? 'link' : (found.mode & 0o777).toString(8);
    },
  );
  expect(seen).toEqual({
    'folder/ä.txt': '600',
    link: 'link',
    [pathText(odd)]: '644',
    gone: 'none',
    'link/below': 'none',
    'folder/ä.txt/below': 'none',
  });
});

it('finds nothing behind a folder that became a link', async () => {
  mkdirSync(join(root, 'real/inner'), { recursive: true });
  writeFileSync(join(root, 'real/inner/x'), '');
  symlinkSync('real', join(root, 'link'));
  const seen: string[] = [];
  await lookAt(root, ['link/inner/x', 'link/inner', 'link', 'real/inner/x'], (path, found) => {
    if (found) seen.push(path);
  });
  expect(seen).toEqual(['link', 'real/inner/x']);
});

it('looks at every path once, in order, and lets others run meanwhile', async () => {
  const paths = Array.from({ length: 1_200 }, (_, place) => `file-${place}`);
  const seen: string[] = [];
  // Runs at the first chance, which is after the first slice.
  let seenByOthers = 0;
  setImmediate(() => (seenByOthers = seen.length));
  await lookAt(root, paths, (path) => void seen.push(path));
  expect(seen).toEqual(paths);
  expect(seenByOthers).toBeGreaterThan(0);
  expect(seenByOthers).toBeLessThan(paths.length);
});
