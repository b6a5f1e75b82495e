import { expect, test } from 'vitest';
import { parseStat } from './proc-table.ts';

test('a line of the process table is read by its fields', () => {
  expect(parseStat('42 (node) S 7 40 40 0 -1')).toEqual({ pid: 42, parent: 7, group: 40 });
});

test('a name with spaces and brackets does not shift the fields', () => {
  expect(parseStat('42 (a) S 9 (b)) R 7 40 40 0')).toEqual({ pid: 42, parent: 7, group: 40 });
});

test('a process that is dead but not reaped is no process', () => {
  expect(parseStat('42 (node) Z 7 40 40 0')).toBeNull();
  expect(parseStat('')).toBeNull();
});
