import {
  fail,
  ok,
  type CandidateBody,
  type Comparison,
  type ComparisonSummary,
  type CreateCompareBody,
  type KeepBody,
  type ListComparesQuery,
  type Result,
  type SessionSummary,
} from '@liminal/contracts';
import { attempt } from '../sessions/service/attempt.ts';
import { checkMessage } from '../sessions/service/sent-message.ts';
import type { CandidateRow, CompareRow } from '../store/compare-rows.ts';
import type { CompareDeps } from './compare-deps.ts';
import { candidateOf, createCompareTable, hasSpentImages } from './compare-table.ts';
import { createKeeping } from './keep-candidate.ts';
import { createComparisonReader } from './read-comparison.ts';
import { createChecks } from './run-checks.ts';
import { interrupted, startCandidate } from './start-candidate.ts';

export type CompareService = ReturnType<typeof createCompareService>;

/** Sends one message to several agents or models at once, each in its own worktree from the same commit. */
export function createCompareService(deps: CompareDeps) {
  const table = createCompareTable(deps.store);
  const reader = createComparisonReader(deps);
  const checks = createChecks(deps, table);
  const keeping = createKeeping(deps, table, reader.look, checks.stop);
  const starting = new Map<string, Promise<void>>();
  /** Serializes the decisions about each comparison. */
  const deciding = new Map<string, Promise<unknown>>();
  const closing = new AbortController();

  const start = (row: CompareRow, candidate: CandidateRow): void => {
    const { candidateId } = candidate;
    const begun = attempt(() => startCandidate(deps, table, row, candidate, closing.signal))
      .catch((error: unknown) => {
        deps.onError(error);
        return fail('SESSION_CREATE_FAILED', "The candidate couldn't start. The server's log has the details.");
      })
      .then((result) => {
        if (result.ok) return table.changeCandidate(row.compareId, candidateId, { state: 'started', error: null });
        // Closing cancels its worktree. That isn't the user's doing.
        const { failure } = closing.signal.aborted ? interrupted : result;
        return table.changeCandidate(row.compareId, candidateId, { state: 'failed', error: failure.message });
      })
      .catch(deps.onError)
      .finally(() => {
        starting.delete(candidateId);
        decide(row.compareId, async (now) => ok(keeping.startSettled(now))).catch(deps.onError);
      });
    starting.set(candidateId, begun);
  };

  const summaryOf = (compareId: string): Result<ComparisonSummary> => {
    const row = table.find(compareId);
    return row.ok ? ok(reader.summary(row.value)) : row;
  };
  const decide = async (
    compareId: string,
    task: (row: CompareRow) => Promise<Result<unknown>>,
  ): Promise<Result<ComparisonSummary>> => {
    const before = deciding.get(compareId) ?? Promise.resolve();
    const done = before.then(() => {
      const row = table.find(compareId);
      return row.ok ? attempt(() => task(row.value)) : row;
    });
    const settled = done.catch(() => {});
    deciding.set(compareId, settled);
    void settled.then(() => deciding.get(compareId) === settled && deciding.delete(compareId));
    const decided = await done;
    return decided.ok ? summaryOf(compareId) : decided;
  };

  const recover = async (): Promise<void> => {
    for (const row of table.all()) {
      const { compareId, candidates } = row;
      // An earlier version kept them. Every write drops them.
      if (hasSpentImages(row)) await table.change(compareId, (same) => same);
      for (const { candidateId, state, check } of candidates) {
        if (state === 'starting')
          await table.changeCandidate(compareId, candidateId, { state: 'failed', error: interrupted.failure.message });
        if (check?.state === 'running')
          await table.changeCandidate(compareId, candidateId, {
            check: { ...check, state: 'failed', output: 'The server stopped while it ran. Run it again.' },
          });
      }
    }
    await keeping.recover();
  };
  const recovering = recover().catch(deps.onError);

  /** When a candidate's turn ends, saves its result and runs the check, unless another candidate was kept meanwhile. */
  const turnEnded = async (row: CompareRow, candidate: CandidateRow): Promise<void> => {
    const result = await reader.look(row, candidate);
    await table.changeCandidate(row.compareId, candidate.candidateId, { result });
    const now = table.find(row.compareId);
    const kept = now.ok ? now.value.kept : null;
    if (kept === null || kept.candidateId === candidate.candidateId) checks.begin(row, candidate);
  };
  /** The last known state of the candidates' sessions. */
  const seen = new Map<string, { readonly state: string; readonly endedId: string | undefined }>();
  const sessionChanged = ({ sessionId, activity, asks, ended }: SessionSummary): void => {
    const row = table.ofSession(sessionId);
    const candidate = row?.candidates.find((each) => each.sessionId === sessionId);
    if (!row || !candidate) return;
    const state = [activity, asks?.requestId, ended?.id].join(' ');
    const before = seen.get(sessionId);
    if (before?.state === state) return;
    seen.set(sessionId, { state, endedId: ended?.id });
    table.publish(row.compareId);
    const isAtRest = activity === 'idle' || activity === 'asleep';
    if (before && ended && ended.id !== before.endedId && isAtRest && !candidate.parked)
      turnEnded(row, candidate).catch(deps.onError);
  };
  const unfollow = deps.directory.follow(({ sessions, removed }) => {
    for (const summary of sessions) sessionChanged(summary);
    for (const sessionId of removed) seen.delete(sessionId);
  });

  return {
    create: (body: CreateCompareBody) =>
      attempt<ComparisonSummary>(async () => {
        const { projectId, content, images = [], mentions = [], base, trustConfiguration } = body;
        for (const { cliType } of body.candidates) {
          const checked = await checkMessage({ images }, deps.registry.resolve(cliType), null);
          if (!checked.ok) return checked;
        }
        const found = await deps.worktrees.base(projectId, {
          ...(base !== undefined && { base }),
          ...(trustConfiguration !== undefined && { trustConfiguration }),
        });
        if (!found.ok) return found;
        const row: CompareRow = {
          compareId: deps.newId(),
          projectId,
          message: { content, images, mentions },
          base: found.value.name,
          baseCommit: found.value.commit,
          createdAt: deps.now(),
          candidates: body.candidates.map(({ cliType, modelId = null }) => ({
            candidateId: deps.newId(),
            cliType,
            modelId,
            ...fresh,
          })),
          kept: null,
        };
        await table.add(row);
        for (const candidate of row.candidates) start(row, candidate);
        return ok(reader.summary(row));
      }),
    list: ({ projectId }: ListComparesQuery): Result<{ compares: ComparisonSummary[] }> => {
      const rows = table.all().filter((row) => projectId === undefined || row.projectId === projectId);
      return ok({ compares: rows.map(reader.summary).reverse() });
    },
    async read(compareId: string): Promise<Result<Comparison>> {
      await recovering;
      const row = table.find(compareId);
      return row.ok ? ok(await reader.read(row.value)) : row;
    },
    /** Doesn't start a candidate that is already starting. */
    retry: (compareId: string, { candidateId }: CandidateBody) =>
      decide(compareId, async (row) => {
        const candidate = candidateOf(row, candidateId);
        if (!candidate.ok || starting.has(candidateId)) return candidate;
        if (candidate.value.state !== 'failed')
          return fail('NOT_SUPPORTED', 'This candidate has started. Send its session another message instead.');
        if (row.kept) return fail('STALE', 'Another candidate was kept. Undo that first.');
        await table.changeCandidate(compareId, candidateId, { state: 'starting', error: null });
        start(row, { ...candidate.value, state: 'starting', error: null });
        return ok(null);
      }),
    check: (compareId: string, { candidateId }: CandidateBody) =>
      decide(compareId, async (row) => {
        const candidate = candidateOf(row, candidateId);
        return candidate.ok ? checks.begin(row, candidate.value) : candidate;
      }),
    keep: (compareId: string, body: KeepBody) => decide(compareId, (row) => keeping.keep(row, body)),
    undoKeep: (compareId: string) => decide(compareId, () => keeping.undo(compareId)),
    follow: table.follow,
    /** Candidates that are starting give up. One that waits for its worktree needs the worktrees closed as well. */
    async close(): Promise<void> {
      closing.abort();
      unfollow();
      await recovering;
      await Promise.all([keeping.close(), checks.close(), ...starting.values()]);
    },
  };
}

const fresh = {
  state: 'starting',
  worktreeId: null,
  sessionId: null,
  error: null,
  check: null,
  result: null,
  parked: false,
} as const;
