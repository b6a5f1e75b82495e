import { describe, expect, test } from 'vitest';
import { outputText, planEntriesOf, shapeOf } from './tool-shape.ts';

describe('the shape of a call', () => {
  test.each([
    ['Bash', { command: 'ls -la\nrm x' }, { title: 'Bash: ls -la', toolKind: 'execute' }],
    [
      'Read',
      { file_path: '/a', offset: 3 },
      { title: 'Read: /a', toolKind: 'read', locations: [{ path: '/a', line: 3 }] },
    ],
    ['Grep', { pattern: 'x' }, { title: 'Grep: x', toolKind: 'search' }],
    ['WebFetch', { url: 'https://x' }, { title: 'WebFetch: https://x', toolKind: 'fetch' }],
    ['Task', { description: 'look', prompt: 'p' }, { title: 'Task: look', toolKind: 'think' }],
    ['mcp__github__create_issue', {}, { title: 'github create_issue', toolKind: 'other' }],
    [
      'Edit',
      { file_path: '/a', old_string: 'x', new_string: 'y' },
      { toolKind: 'edit', diffs: [{ path: '/a', oldText: 'x', newText: 'y' }] },
    ],
    [
      'Edit',
      { file_path: '/a', old_string: 'x', new_string: 'y', replace_all: true },
      { diffs: [{ path: '/a', oldText: 'x', newText: 'y', everywhere: true }] },
    ],
    [
      'NotebookEdit',
      { notebook_path: '/a.ipynb', new_source: 'x' },
      { diffs: [{ path: '/a.ipynb', oldText: '', newText: 'x' }] },
    ],
    [
      'MultiEdit',
      { file_path: '/a', edits: [{ old_string: 'x', new_string: 'y' }, 'odd'] },
      { diffs: [{ path: '/a', oldText: 'x', newText: 'y' }] },
    ],
  ])('%s', (name, input, shape) => {
    expect(shapeOf(name, input)).toMatchObject(shape);
  });

  test('omits arguments of the wrong type, and cuts long titles', () => {
    expect(shapeOf('Read', { file_path: 7, offset: 'x' })).toEqual({ title: 'Read', toolKind: 'read' });
    expect(shapeOf('Bash', { command: 'x'.repeat(500) }).title.length).toBeLessThan(130);
  });
});

test('reads a plan leniently', () => {
  expect(
    planEntriesOf({ todos: [{ content: 'a', status: 'odd' }, { activeForm: 'doing b', status: 'in_progress' }, 3] }),
  ).toEqual([
    { content: 'a', status: 'pending' },
    { content: 'doing b', status: 'in_progress' },
  ]);
  expect(planEntriesOf({})).toBeUndefined();
});

test('names output that is not text', () => {
  expect(
    outputText([{ type: 'text', text: 'a' }, { type: 'image', source: { media_type: 'image/png' } }, { type: 'odd' }]),
  ).toBe('a\n[image image/png]\n{"type":"odd"}');
  expect(outputText(undefined)).toBe('');
});
