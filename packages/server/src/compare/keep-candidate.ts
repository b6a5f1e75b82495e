import { fail, ok, type KeepBody, type Result } from '@liminal/contracts';
import type { BranchMove } from '../git/worktrees/merge-branch.ts';
import type { CandidateRow, CompareRow } from '../store/compare-rows.ts';
import type { CompareDeps } from './compare-deps.ts';
import { candidateOf, type CompareTable } from './compare-table.ts';

const idleMs = 60_000;
type Kept = NonNullable<CompareRow['kept']>;
type Look = (row: CompareRow, candidate: CandidateRow) => Promise<CandidateRow['result']>;

/** Keeps one candidate and parks the others a little later. Until all of them are parked, it can be undone. */
export function createKeeping(
  deps: CompareDeps,
  table: CompareTable,
  look: Look,
  stopCheck: (candidateId: string) => Promise<void>,
) {
  const { worktrees, sessions, directory } = deps;
  const timers = new Map<string, NodeJS.Timeout>();
  const parking = new Map<string, Promise<void>>();
  const closing = new AbortController();

  const setKept = (compareId: string, change: (kept: Kept) => Kept | null): Promise<void> =>
    table.change(compareId, (row) => (row.kept ? { ...row, kept: change(row.kept) } : row));

  const isBusy = (sessionId: string): boolean => {
    const activity = directory.get(sessionId)?.activity;
    return activity === 'working' || activity === 'waiting';
  };
  /** Cancels a running turn. Resolves when the session is idle, after a timeout, or when the server closes. */
  const stop = async (sessionId: string): Promise<void> => {
    if (closing.signal.aborted || !isBusy(sessionId)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const unfollow = directory.follow(() => isBusy(sessionId) || resolve());
    const timer = setTimeout(resolve, idleMs);
    const onClose = () => resolve();
    closing.signal.addEventListener('abort', onClose);
    const cancel = async () => {
      await sessions.cancel(sessionId);
      if (isBusy(sessionId)) await promise;
    };
    try {
      await Promise.race([promise, cancel()]);
    } finally {
      closing.signal.removeEventListener('abort', onClose);
      clearTimeout(timer);
      unfollow();
    }
  };

  const parkOne = async (row: CompareRow, candidate: CandidateRow): Promise<string | null> => {
    const { candidateId, sessionId, worktreeId } = candidate;
    const tree = worktreeId === null ? null : await worktrees.read(worktreeId);
    if (worktreeId === null || !tree?.ok) return null;
    if (sessionId !== null) await stop(sessionId);
    if (closing.signal.aborted) return null;
    const result = await look(row, candidate);
    await stopCheck(candidateId);
    // A candidate whose setup failed has no work. The user removes its folder.
    if (tree.value.state === 'failed') return null;
    const done = tree.value.state === 'parked' ? ok(null) : await worktrees.park(worktreeId, {});
    if (!done.ok) return `${tree.value.branch ?? candidateId}: ${done.failure.message}`;
    await table.changeCandidate(row.compareId, candidateId, { parked: true, result });
    return null;
  };
  const parkOthers = async (compareId: string): Promise<void> => {
    const found = table.find(compareId);
    if (!found.ok || found.value.kept?.step !== 'waiting') return;
    const { kept, candidates } = found.value;
    const others = candidates.filter(({ candidateId, parked }) => candidateId !== kept.candidateId && !parked);
    // `startSettled` parks those that are still starting, so nobody waits for a long setup command.
    const isStarting = others.some(({ state }) => state === 'starting');
    const troubles: string[] = [];
    for (const candidate of others.filter(({ state }) => state !== 'starting')) {
      const trouble = await parkOne(found.value, candidate);
      // The next server parks the rest.
      if (closing.signal.aborted) return;
      if (trouble !== null) troubles.push(trouble);
    }
    const error = troubles.length === 0 ? null : `Not parked: ${troubles.join(' ')}`;
    const step = error === null && !isStarting ? 'parked' : 'waiting';
    await setKept(compareId, (now) => ({ ...now, step, error }));
  };
  const park = (compareId: string): void => {
    const before = parking.get(compareId) ?? Promise.resolve();
    const done: Promise<void> = before
      .then(() => parkOthers(compareId))
      .catch(deps.onError)
      .finally(() => parking.get(compareId) === done && parking.delete(compareId));
    parking.set(compareId, done);
  };
  const parkSoon = (compareId: string): void => {
    const timer = setTimeout(() => {
      timers.delete(compareId);
      park(compareId);
    }, deps.undoMs);
    timer.unref();
    timers.set(compareId, timer);
  };

  /** Commits all uncommitted changes. */
  const readyToMerge = async (row: CompareRow, { sessionId }: CandidateRow): Promise<Result<null>> => {
    if (sessionId === null) return fail('NOT_SUPPORTED', 'This candidate has no work to merge.');
    if (isBusy(sessionId))
      return fail('TURN_RUNNING', 'This candidate is still working. Wait until it is done, then keep it.');
    const committed = await sessions.commit(sessionId, { message: firstLine(row.message.content), all: true });
    return committed.ok || committed.failure.code === 'NOTHING_TO_COMMIT' ? ok(null) : committed;
  };
  /** Completes a merge that was interrupted when the server ended. If that isn't possible, no candidate is kept. */
  const finishMerge = async ({ compareId, projectId, base, kept }: CompareRow): Promise<void> => {
    const { from, to = null } = kept?.merge ?? {};
    const done = from && to ? await worktrees.finishMerge(projectId, base, { from, to }) : null;
    if (!done?.ok) return setKept(compareId, () => null);
    await setKept(compareId, (now) => ({ ...now, step: 'waiting' }));
    parkSoon(compareId);
  };
  /** Merges a candidate into the base and returns how the base moved. */
  const mergeInto = async (
    row: CompareRow,
    candidate: CandidateRow,
    how: NonNullable<Kept['merge']>['how'],
  ): Promise<Result<Kept['merge']>> => {
    const { candidateId, worktreeId } = candidate;
    if (worktreeId === null) return fail('NOT_SUPPORTED', 'This candidate has no work to merge.');
    const ready = await readyToMerge(row, candidate);
    if (!ready.ok) return ready;
    let merge: Kept['merge'] = null;
    // Written before the base moves, so a restarted server can finish the merge.
    const confirm = (moved: BranchMove): Promise<void> => {
      merge = { how, ...moved };
      const kept: Kept = { candidateId, at: deps.now(), step: 'merging', merge, error: null };
      return table.change(row.compareId, (now) => ({ ...now, kept }));
    };
    try {
      const merged = await worktrees.merge(worktreeId, { how, into: row.base }, confirm);
      if (merged.ok) return ok(merge);
      await setKept(row.compareId, () => null);
      return merged;
    } catch (error) {
      const now = table.find(row.compareId);
      if (now.ok) await finishMerge(now.value);
      throw error;
    }
  };

  const undo = async (row: CompareRow, kept: Kept): Promise<Result<null>> => {
    const { compareId } = row;
    await setKept(compareId, (now) => ({ ...now, step: 'undoing' }));
    const refuse = async (refused: Result<never>): Promise<Result<null>> => {
      const error = refused.ok ? null : refused.failure.message;
      await setKept(compareId, (now) => ({ ...now, step: 'waiting', error }));
      // Parking goes ahead as before.
      parkSoon(compareId);
      return refused;
    };
    if (kept.merge?.to) {
      const moved = { from: kept.merge.from, to: kept.merge.to };
      const back = await worktrees.undoMerge(row.projectId, row.base, moved);
      if (!back.ok) return refuse(back);
      // Record at once that the base has moved back: a retry must not move it again.
      await setKept(compareId, (now) => ({ ...now, merge: null }));
    }
    for (const { candidateId, worktreeId, parked } of row.candidates) {
      if (!parked || worktreeId === null) continue;
      const restored = await worktrees.restore(worktreeId);
      if (!restored.ok && restored.failure.code !== 'NOT_SUPPORTED') return refuse(restored);
      await table.changeCandidate(compareId, candidateId, { parked: false });
    }
    await setKept(compareId, () => null);
    return ok(null);
  };

  return {
    /** Completes what a killed server left unfinished: merges, parking and undoing. */
    async recover(): Promise<void> {
      for (const row of table.all()) {
        if (row.kept?.step === 'waiting') parkSoon(row.compareId);
        if (row.kept?.step === 'merging') await finishMerge(row);
        if (row.kept?.step === 'undoing') await undo(row, row.kept);
      }
    },
    async keep(row: CompareRow, { candidateId, merge }: KeepBody): Promise<Result<null>> {
      const candidate = candidateOf(row, candidateId);
      if (!candidate.ok) return candidate;
      if (candidate.value.state !== 'started')
        return fail('NOT_SUPPORTED', 'This candidate has not started. Keep another one, or start it again.');
      if (row.kept?.candidateId === candidateId) return ok(null);
      if (row.kept) return fail('STALE', 'Another candidate was kept in the meantime. Undo that first.');
      const merged = merge === undefined ? ok(null) : await mergeInto(row, candidate.value, merge);
      if (!merged.ok) return merged;
      const kept: Kept = { candidateId, at: deps.now(), step: 'waiting', merge: merged.value, error: null };
      await table.change(row.compareId, (now) => ({ ...now, kept }));
      parkSoon(row.compareId);
      return ok(null);
    },
    async undo(compareId: string): Promise<Result<null>> {
      clearTimeout(timers.get(compareId));
      timers.delete(compareId);
      await parking.get(compareId);
      const row = table.find(compareId);
      if (!row.ok) return row;
      const { kept } = row.value;
      if (!kept) return fail('NOT_SUPPORTED', 'No candidate was kept.');
      if (kept.step === 'parked')
        return fail('STALE', 'The others are parked. Restore what you want from the list of worktrees.');
      return undo(row.value, kept);
    },
    /** Parks a candidate that was still starting when the others were parked. */
    startSettled({ compareId, kept }: CompareRow): void {
      if (kept?.step === 'waiting' && !timers.has(compareId) && !closing.signal.aborted) park(compareId);
    },
    /** Cancels planned parking, and waits until parking in progress is done or can be left to the next server. */
    async close(): Promise<void> {
      closing.abort();
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      await Promise.all(parking.values());
    },
  };
}

const firstLine = (text: string): string => {
  const [line = ''] = text.trim().split('\n');
  return line.length > 72 ? `${line.slice(0, 71)}…` : line;
};
