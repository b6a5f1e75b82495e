import { expect, it } from 'vitest';
import { comparedFiles, countChanges, type CandidateFile } from './compared-files.ts';

const file = (path: string, part: Partial<CandidateFile> = {}): CandidateFile => ({
  path,
  change: 'modified',
  contentId: path,
  ...part,
});

it('sets the files of candidates side by side, in the order of their paths', () => {
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

it('counts lines where somebody counted them', () => {
  expect(countChanges([file('a', { additions: 2, deletions: 1 }), file('b')])).toEqual({
    files: 2,
    additions: 2,
    deletions: 1,
  });
});
