import type { Git } from '../../git/git.ts';
import { checkpointsToPrune, storedCheckpointLimits } from '../../preferences/checkpoint-limits.ts';
import type { SessionPlaces } from '../../projects/session-places.ts';
import type { CheckpointRow } from '../../store/review-rows.ts';
import type { Store } from '../../store/store.ts';

export type PruneDeps = {
  readonly store: Store;
  readonly git: Git;
  readonly places: SessionPlaces;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

const atOnce = 200;

/** Removes checkpoints beyond the limits, and returns how many. Refs of parked work are never removed. */
export async function pruneCheckpoints({ store, git, places, now }: PruneDeps): Promise<number> {
  /** Git starts only in trusted folders; checkpoints in others wait. */
  const isTrusted = (sessionId: string): boolean => {
    const row = store.session(sessionId);
    const project = row && places.project(row);
    return project?.ok === true && project.value.trusted;
  };
  const due = checkpointsToPrune(store.checkpointSizes(), storedCheckpointLimits(store), now());
  const byFolder = Map.groupBy(
    due.filter(({ sessionId }) => isTrusted(sessionId)),
    ({ folder }) => folder,
  );
  let pruned = 0;
  for (const [folder, sizes] of byFolder) {
    for (let start = 0; start < sizes.length; start += atOnce) {
      const rows = sizes
        .slice(start, start + atOnce)
        .flatMap(({ sessionId, turnId }) => store.checkpoint(sessionId, turnId) ?? []);
      if (!(await forgetRefs(git, folder, rows.flatMap(refsOf)))) break;
      await store.write(rows.map((row) => ({ type: 'put-checkpoint', row: { ...row, pruned: true } })));
      pruned += rows.length;
    }
  }
  return pruned;
}

/** Deletes refs. True if they are gone, or the whole repository is. */
export async function forgetRefs(git: Git, folder: string, refs: readonly string[]): Promise<boolean> {
  const opened = await git.openRecorded(folder);
  if (!opened.ok) return opened.failure.code === 'NOT_A_REPOSITORY';
  return (await opened.value.tree.forget(refs)).ok;
}

/** All refs of a session: its checkpoints, and the files kept to undo what it discarded, restored or rewound. */
export const refsOfSession = (store: Pick<Store, 'checkpoints' | 'undos' | 'rewinds'>, sessionId: string): string[] => [
  ...store.checkpoints(sessionId).flatMap(refsOf),
  ...store.undos(sessionId).map(({ ref }) => ref),
  ...store.rewinds(sessionId).map(({ rewindId }) => `refs/liminal/${rewindName(rewindId)}`),
];

/** The name under which the files of a rewind are kept. */
export const rewindName = (rewindId: string): string => `rewind/${rewindId}`;

const refsOf = ({ before, after }: CheckpointRow): string[] =>
  [before, after].flatMap((kept) => (kept === null ? [] : [kept.ref]));
