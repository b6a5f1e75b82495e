import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fingerprint } from './fingerprint.mjs';

let folder: string;
const write = (name: string, text: string) => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), text);
};
const taken = () => fingerprint(folder, ['src', 'lock.json', 'missing']);

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'fingerprint-'));
  write('src/a.ts', 'a');
  write('lock.json', '{}');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('changes with content, names and new files', () => {
  const before = taken();
  write('src/a.ts', 'b');
  const edited = taken();
  write('src/deep/b.ts', '');
  expect(new Set([before, edited, taken()]).size).toBe(3);
});

test('does not change with times, tests, builds and packages', () => {
  const before = taken();
  utimesSync(path.join(folder, 'src/a.ts'), 1, 1);
  write('src/a.test.ts', 'x');
  write('src/dist/a.js', 'x');
  write('src/node_modules/a/index.js', 'x');
  expect(taken()).toBe(before);
});
