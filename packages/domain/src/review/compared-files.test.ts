import type { ChangedFile } from '@liminal/contracts';
import { expect, it } from 'vitest';
import { candidateFile, comparedFiles, countChanges, type CandidateFile } from './compared-files.ts';

const file = (path: string, part: Partial<CandidateFile> = {}): CandidateFile => ({
  path,
  change: 'modified',
  contentId: path,
  ...part,
});

it('lists the files of all candidates side by side, sorted by path', () => {
  const rows = comparedFiles([
    { candidateId: 'one', files: [file('b'), file('a', { additions: 2 })] },
    { candidateId: 'two', files: [file('b', { change: 'deleted', contentId: null })] },
  ]);
  expect(rows.map(({ path, candidates }) => [path, candidates.map(({ candidateId }) => candidateId)])).toEqual([
    ['a', ['one']],
    ['b', ['one', 'two']],
  ]);
  expect(rows[1]?.candidates[1]).toEqual({ candidateId: 'two', change: 'deleted', contentId: null });
});

it('keeps the line counts of a change if there are any', () => {
  const changed = { path: 'a', change: 'modified', oldId: 'x', newId: 'y' } as ChangedFile;
  expect(candidateFile(changed)).toEqual({ path: 'a', change: 'modified', contentId: 'y' });
  expect(candidateFile({ ...changed, additions: 0, deletions: 3 })).toMatchObject({ additions: 0, deletions: 3 });
});

it('adds up line counts if there are any', () => {
  expect(countChanges([file('a', { additions: 2, deletions: 1 }), file('b')])).toEqual({
    files: 2,
    additions: 2,
    deletions: 1,
  });
});
