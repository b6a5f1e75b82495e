import { expect, test } from 'vitest';
import { diffsOfResult } from './result-diffs.ts';

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');
const file = { filePath: '/a' };

test('a written file shows what really changed, and a new one is new', () => {
  const reported = (originalFile: string | null, content: string, type?: string) =>
    diffsOfResult('Write', { ...file, content, originalFile, type });
  const [change, ...others] = reported(lines(30), lines(29), 'update') ?? [];
  expect(others).toEqual([]);
  expect(change).toMatchObject({ oldStart: 27, newStart: 27 });
  expect(reported('same\n', 'same\n', 'update')).toEqual([
    { path: '/a', oldText: '', newText: '', oldStart: 1, newStart: 1 },
  ]);
  const created = [{ path: '/a', oldText: null, newText: 'new', oldStart: 1, newStart: 1 }];
  expect(reported(null, 'new')).toEqual(created);
  expect(reported(null, 'new', 'create')).toEqual(created);
  expect(diffsOfResult('Bash', { stdout: 'x' })).toBeUndefined();
});

test('an edit is shown where it was made, in one place or in all', () => {
  const edit = { ...file, originalFile: lines(30), oldString: 'line 20', newString: 'twenty' };
  expect(diffsOfResult('Edit', edit)).toMatchObject([{ oldStart: 17, newStart: 17 }]);
  const all = { ...edit, oldString: '0', newString: '00', replaceAll: true };
  expect(diffsOfResult('Edit', all)?.map(({ oldStart }) => oldStart)).toEqual([7, 17, 27]);
  const edits = [
    { old_string: 'line 5\n', new_string: '' },
    { old_string: 'line 25', new_string: 'x' },
  ];
  expect(diffsOfResult('MultiEdit', { ...file, originalFile: lines(30), edits })).toMatchObject([
    { oldStart: 2, newStart: 2 },
    { oldStart: 22, newStart: 21 },
  ]);
});

test('uses the patch without the earlier text, and without that the edit itself', () => {
  const structuredPatch = [
    { oldStart: 9, oldLines: 2, newStart: 9, newLines: 2, lines: [' a', '-b', '+c', '\\ No newline'] },
  ];
  const edit = { ...file, oldString: 'b', newString: 'c' };
  expect(diffsOfResult('Edit', { ...edit, structuredPatch })).toEqual([
    { path: '/a', oldText: 'a\nb\n', newText: 'a\nc\n', oldStart: 9, newStart: 9 },
  ]);
  expect(diffsOfResult('Edit', edit)).toEqual([{ path: '/a', oldText: 'b', newText: 'c' }]);
  expect(diffsOfResult('Edit', { ...file, structuredPatch: [{ lines: 3 }, 'odd'] })).toBeUndefined();
});
