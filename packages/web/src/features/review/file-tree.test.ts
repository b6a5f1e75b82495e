import { describe, expect, it } from 'vitest';
import type { ChangedFile } from '@liminal/contracts';
import { listRows, openRows, orderFiles } from './file-tree.ts';

const file = (path: string, part: Partial<ChangedFile> = {}): ChangedFile => ({
  path,
  change: 'modified',
  binary: false,
  size: 1,
  bySession: true,
  staged: 'no',
  oldId: 'a',
  newId: 'b',
  ...part,
});
const files = [
  file('src/lib/deep/a.ts'),
  file('z.md', { bySession: false }),
  file('b.ts'),
  file('src/app.ts', { change: 'conflicted', bySession: false }),
];
const text = (isTree: boolean, filter = '', closed: readonly string[] = []): string[] =>
  openRows(listRows(orderFiles(files, filter), isTree), new Set(closed)).map((row) => {
    switch (row.kind) {
      case 'heading':
        return `# ${row.text}`;
      case 'folder':
        return `${'  '.repeat(row.depth)}${row.name}/`;
      case 'file':
        return `${'  '.repeat(row.depth)}${row.name}${row.folder === '' ? '' : ` (${row.folder})`}`;
    }
  });

describe('the list of changed files', () => {
  it('shows conflicts first, then the session’s own files, and others’ changes separately', () => {
    expect(text(false)).toEqual([
      'app.ts (src)',
      'b.ts',
      'a.ts (src/lib/deep)',
      '# Not changed by this session',
      'z.md',
    ]);
  });

  it('shows a tree, with chains of single folders in one row', () => {
    expect(text(true)).toEqual([
      'src/',
      '  lib/deep/',
      '    a.ts',
      '  app.ts',
      'b.ts',
      '# Not changed by this session',
      'z.md',
    ]);
  });

  it('leaves out only what is in a closed folder', () => {
    expect(text(true, '', ['src/lib/deep/'])).toEqual([
      'src/',
      '  lib/deep/',
      '  app.ts',
      'b.ts',
      '# Not changed by this session',
      'z.md',
    ]);
    expect(text(true, '', ['src/'])).toEqual(['src/', 'b.ts', '# Not changed by this session', 'z.md']);
  });

  it('keeps paths that contain every word of the filter', () => {
    expect(text(false, 'SRC ap')).toEqual(['app.ts (src)']);
    expect(text(false, 'nothing')).toEqual([]);
  });
});
