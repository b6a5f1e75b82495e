import type { ChangeScope, CheckpointState, NotKeptFile, UpsertObject } from '@liminal/contracts';
import { changesOfCalls } from '@liminal/domain/review/changes-of-calls';
import type { TreePair } from '../../git/snapshots/kept-trees.ts';
import type { CheckpointRow } from '../../store/review-rows.ts';
import type { Store } from '../../store/store.ts';

/** What a session's checkpoints hold for a scope. `to: null` is the folder now: the turn is still running. */
export type Recorded = {
  readonly state: CheckpointState;
  readonly pairs: readonly { readonly from: string; readonly to: string | null }[];
  readonly notKept: readonly NotKeptFile[];
  /** Only the snapshot before the turn exists. */
  readonly isUnfinished?: boolean;
};

const mostTurns = 200;

/** The checkpoints of a session's turns, without rewound ones. */
export const checkpointsOf = (
  store: Pick<Store, 'checkpoints' | 'turn'>,
  sessionId: string,
): readonly CheckpointRow[] =>
  store.checkpoints(sessionId).filter(({ turnId }) => store.turn(sessionId, turnId)?.state !== 'rewound');

/**
 * The pairs of trees of a scope. A finished turn without a second tree (the server died, git failed) has no checkpoint:
 * later changes would look like its work. An open turn is running, or its second tree is being recorded.
 */
export function recordedOf(
  scope: ChangeScope,
  rows: readonly CheckpointRow[],
  turnId: string | null,
  isOpen: (turnId: string) => boolean,
): Recorded {
  const wanted = scope === 'turn' ? rows.filter((row) => row.turnId === turnId) : rows.slice(-mostTurns);
  const pairs = wanted.flatMap((row): Recorded['pairs'] => {
    if (row.before === null || row.pruned) return [];
    if (row.after !== null) return [{ from: row.before.tree, to: row.after.tree }];
    return isOpen(row.turnId) ? [{ from: row.before.tree, to: null }] : [];
  });
  const isRunning = pairs.some(({ to }) => to === null);
  const isPruned = wanted.some(({ pruned }) => pruned);
  const state = isRunning ? 'running' : pairs.length > 0 ? 'kept' : isPruned ? 'pruned' : 'none';
  const last = wanted.at(-1);
  const isUnfinished = scope === 'turn' && pairs.length === 0 && last !== undefined && !last.pruned;
  return { state, pairs, notKept: last?.after?.notKept ?? [], isUnfinished };
}

/** The pairs, with `now` as the end of a running turn. */
export const withNow = (pairs: Recorded['pairs'], now: string): TreePair[] =>
  pairs.map(({ from, to }) => ({ from, to: to ?? now }));

/** The files this session is known to have changed. */
export function pathsBySession(rows: readonly CheckpointRow[]): Set<string> {
  const paths = new Set<string>();
  for (const { paths: changed, foreign } of rows) {
    const others = new Set(foreign);
    for (const path of changed) if (!others.has(path)) paths.add(path);
  }
  return paths;
}

/** Files edited by turns without a checkpoint and not listed for another reason. */
export function editedWithout(
  rows: readonly Pick<CheckpointRow, 'turnId'>[],
  entries: readonly UpsertObject[],
  folder: string,
  files: readonly { readonly path: string }[],
): string[] {
  const recorded = new Set(rows.map(({ turnId }) => turnId));
  const listed = new Set(files.map(({ path }) => path));
  const unrecorded = entries.filter(({ turnId }) => !recorded.has(turnId));
  return [...changesOfCalls(unrecorded, folder).keys()].filter((path) => !listed.has(path));
}
