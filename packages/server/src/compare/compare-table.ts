import { fail, ok, type Result } from '@liminal/contracts';
import type { CandidateRow, CompareRow } from '../store/compare-rows.ts';
import type { Store } from '../store/store.ts';

export type CompareTable = ReturnType<typeof createCompareTable>;

/** All comparisons. A change is written to disk before it shows, and changes to a comparison run in order. */
export function createCompareTable(store: Pick<Store, 'compares' | 'write'>) {
  const rows = new Map<string, CompareRow>();
  /** Maps a session to its comparison. Looked up at every change of any session. */
  const bySession = new Map<string, string>();
  const hold = (row: CompareRow): void => {
    rows.set(row.compareId, row);
    for (const { sessionId } of row.candidates) if (sessionId !== null) bySession.set(sessionId, row.compareId);
  };
  for (const row of store.compares()) hold(row);
  const followers = new Set<(compareId: string) => void>();
  let writing = Promise.resolve();
  const publish = (compareId: string): void => {
    for (const follower of followers) follower(compareId);
  };
  const put = async (given: CompareRow): Promise<void> => {
    const row = hasSpentImages(given) ? { ...given, message: { ...given.message, images: [] } } : given;
    await store.write([{ type: 'put-compare', row }]);
    hold(row);
    publish(row.compareId);
  };
  const change = (compareId: string, changed: (row: CompareRow) => CompareRow): Promise<void> => {
    const done = writing.then(async () => {
      const row = rows.get(compareId);
      if (row) await put(changed(row));
    });
    writing = done.catch(() => {});
    return done;
  };

  return {
    all: (): readonly CompareRow[] => [...rows.values()],
    find(compareId: string): Result<CompareRow, 'COMPARE_NOT_FOUND'> {
      const row = rows.get(compareId);
      return row ? ok(row) : fail('COMPARE_NOT_FOUND', 'There is no such comparison.');
    },
    ofSession: (sessionId: string): CompareRow | undefined => rows.get(bySession.get(sessionId) ?? ''),
    add: put,
    /** Applies the change to the newest row. Does nothing if the comparison is gone. */
    change,
    changeCandidate: (compareId: string, candidateId: string, part: Partial<CandidateRow>): Promise<void> =>
      change(compareId, (row) => ({
        ...row,
        candidates: row.candidates.map((each) => (each.candidateId === candidateId ? { ...each, ...part } : each)),
      })),
    /** Makes followers read the comparison again although no row has changed. */
    publish,
    /** Calls back after every change. Returns a function that stops it. */
    follow(follower: (compareId: string) => void): () => void {
      followers.add(follower);
      return () => void followers.delete(follower);
    },
  };
}

/**
 * Only a candidate that is starting, or that the user can start again, needs the images of the message. They can be
 * large, and every change writes the whole row.
 */
export const hasSpentImages = ({ message, candidates, kept }: CompareRow): boolean =>
  message.images.length > 0 && (kept?.step === 'parked' || candidates.every(({ state }) => state === 'started'));

export function candidateOf(row: CompareRow, candidateId: string): Result<CandidateRow, 'COMPARE_NOT_FOUND'> {
  const candidate = row.candidates.find((each) => each.candidateId === candidateId);
  return candidate ? ok(candidate) : fail('COMPARE_NOT_FOUND', 'This comparison has no such candidate.');
}
