import { expect, test } from 'vitest';
import { parseStat } from './proc-table.ts';

test('parses a line of the process table', () => {
  expect(parseStat('42 (node) S 7 40 40 0 -1')).toEqual({ pid: 42, parent: 7, group: 40 });
});

test('parses a name with spaces and brackets', () => {
  expect(parseStat('42 (a) S 9 (b)) R 7 40 40 0')).toEqual({ pid: 42, parent: 7, group: 40 });
});

test('ignores a process that is dead but not reaped', () => {
  expect(parseStat('42 (node) Z 7 40 40 0')).toBeNull();
  expect(parseStat('')).toBeNull();
});
