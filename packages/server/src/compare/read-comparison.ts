import type { Candidate, Comparison, ComparisonSummary, KeptCandidate } from '@liminal/contracts';
import { candidateFile, comparedFiles, countChanges } from '@liminal/domain/review/compared-files';
import { candidateEffort, candidateState } from '@liminal/domain/session/candidate-state';
import type { CandidateRow, CompareRow } from '../store/compare-rows.ts';
import type { TurnRow } from '../store/rows.ts';
import type { CompareDeps } from './compare-deps.ts';

const mostTurns = 1000;
type Result = NonNullable<CandidateRow['result']>;

/** Reads the results of candidates. Folders are read only on request. */
export function createComparisonReader(deps: Pick<CompareDeps, 'store' | 'sessions' | 'directory' | 'now'>) {
  const { store, sessions, directory, now } = deps;

  const candidateOf = (candidate: CandidateRow, kept: CompareRow['kept']): Candidate => {
    const { candidateId, cliType, modelId, sessionId, worktreeId, check, result, parked, error } = candidate;
    const turns = sessionId === null ? [] : store.turnsBefore(sessionId, null, mostTurns).toReversed();
    const open = sessionId === null ? [] : store.openTurns(sessionId);
    const newer = open.filter(({ turnId }) => !turns.some((turn) => turn.turnId === turnId));
    const known = [...turns, ...newer].map((turn) => ({ ...turn, ranMs: ranMs(turn, now()) }));
    const asks = sessionId !== null && directory.get(sessionId)?.asks !== undefined;
    const state = candidateState({ start: candidate.state, parked, asks, turns: known });
    const last = known.at(-1)?.ended;
    const failure = error ?? (state === 'failed' && last?.type === 'turn_error' ? last.errorMessage : null);
    const branch = store.worktrees().find((each) => each.worktreeId === worktreeId)?.branch;
    return {
      candidateId,
      cliType,
      ...(modelId !== null && { modelId }),
      state,
      ...(sessionId !== null && { sessionId }),
      ...(worktreeId !== null && { worktreeId }),
      ...(branch !== undefined && { branch }),
      ...(failure !== null && { error: failure }),
      canRetry: candidate.state === 'failed' && kept === null,
      ...(result && { changes: result.changes }),
      ...candidateEffort(known),
      ...(check && { check }),
    };
  };

  /** The changes in its folder since the commit it started from, or the last known ones if they can't be read. */
  const look = async ({ baseCommit }: CompareRow, candidate: CandidateRow): Promise<Result | null> => {
    const { sessionId, parked } = candidate;
    if (sessionId === null || parked) return candidate.result;
    const listed = await sessions.changes(sessionId, { scope: 'base', base: baseCommit });
    if (!listed.ok || listed.value.source !== 'git') return candidate.result;
    const files = listed.value.files.map(candidateFile);
    return { changes: countChanges(files), files };
  };

  const summary = (row: CompareRow): ComparisonSummary => {
    const { compareId, projectId, message, base, baseCommit, createdAt, candidates, kept } = row;
    return {
      compareId,
      projectId,
      content: message.content,
      base,
      baseCommit,
      createdAt,
      candidates: candidates.map((each) => candidateOf(each, kept)),
      ...(kept && { kept: keptOf(kept) }),
    };
  };
  return {
    look,
    summary,
    async read(row: CompareRow): Promise<Comparison> {
      const candidates = await Promise.all(
        row.candidates.map(async (each) => ({ ...each, result: await look(row, each) })),
      );
      const files = candidates.map(({ candidateId, result }) => ({ candidateId, files: result?.files ?? [] }));
      return { ...summary({ ...row, candidates }), files: comparedFiles(files) };
    },
  };
}

const keptOf = ({ candidateId, at, step, merge, error }: NonNullable<CompareRow['kept']>): KeptCandidate => ({
  candidateId,
  at,
  parked: step === 'parked',
  ...(merge?.to && { commit: merge.to }),
  ...(error !== null && { error }),
});

const ranMs = ({ startedAt, endedAt }: TurnRow, now: string): number | null =>
  startedAt === null ? null : Math.max(0, Date.parse(endedAt ?? now) - Date.parse(startedAt));
