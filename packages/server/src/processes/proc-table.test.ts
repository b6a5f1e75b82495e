import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseStat, readProc } from './proc-table.ts';

test('parses a line of the process table', () => {
  expect(parseStat('42 (node) S 7 40 40 0 -1')).toEqual({ pid: 42, parent: 7, group: 40 });
});

test('parses when a process started', () => {
  expect(parseStat(`42 (node) S 7 40 40${' 0'.repeat(15)} 1234 0`)?.started).toBe(1234);
});

test('parses a name with spaces and brackets', () => {
  expect(parseStat('42 (a) S 9 (b)) R 7 40 40 0')).toEqual({ pid: 42, parent: 7, group: 40 });
});

test('ignores a process that is dead but not reaped', () => {
  expect(parseStat('42 (node) Z 7 40 40 0')).toBeNull();
  expect(parseStat('')).toBeNull();
});

test.runIf(process.platform === 'linux')('finds a mark by a whole entry of the environment, and a limit', async () => {
  const entries = readFileSync('/proc/self/environ', 'latin1').split('\0').filter(Boolean);
  const [first = '', last = ''] = [entries[0], entries.at(-1)];
  const table = await readProc();
  if (table === null) throw new Error('no table');
  expect(table.entries.map(({ pid }) => pid)).toContain(process.pid);
  const isMarked = (mark: string) => table.isMarked(process.pid, { mark });
  expect([first, last].map(isMarked)).toEqual([true, true]);
  expect([first.slice(1), last.slice(1), first.slice(0, -1), `${last}x`, ''].map(isMarked)).not.toContain(true);
  expect(table.isMarked(process.pid, { limit: 'no such value' })).toBe(false);
  // Every process has a limit of this kind.
  expect(table.isMarked(process.pid, { limit: 'unlimited' })).toBe(true);
});

test('shows no processes at all, instead of none alive, if it cannot be read', async () => {
  expect(await readProc('/no/such/folder')).toBeNull();
});
