import type { CandidateRow, CompareRow } from '../../store/compare-rows.ts';

const candidate = (candidateId: string): CandidateRow => ({
  candidateId,
  cliType: 'scripted',
  modelId: null,
  state: 'started',
  worktreeId: `${candidateId}-tree`,
  sessionId: null,
  error: null,
  check: null,
  result: null,
  parked: false,
});

/** A comparison of candidates that have started. */
export const sampleComparison = (candidateIds: readonly string[], kept: CompareRow['kept'] = null): CompareRow => ({
  compareId: 'one',
  projectId: 'project',
  message: { content: 'Do it', images: [], mentions: [] },
  base: 'main',
  baseCommit: 'a',
  createdAt: '2026-01-01T00:00:00.000Z',
  candidates: candidateIds.map(candidate),
  kept,
});
