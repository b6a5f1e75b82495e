import type { Git } from '../../git/git.ts';
import { isOfRepository } from '../../git/repository.ts';
import { checkpointsToPrune, storedCheckpointLimits } from '../../preferences/checkpoint-limits.ts';
import type { SessionPlaces } from '../../projects/session-places.ts';
import type { CheckpointRow, CheckpointSize } from '../../store/review-rows.ts';
import type { Store } from '../../store/store.ts';

export type PruneDeps = {
  readonly store: Store;
  readonly git: Git;
  readonly places: SessionPlaces;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

const atOnce = 200;

/**
 * Removes checkpoints beyond the limits, and returns how many. Refs of parked work are never removed. Checkpoints whose
 * repository can't be opened wait: their folder may be on a disk that isn't there now.
 */
export async function pruneCheckpoints({ store, git, places, now }: PruneDeps): Promise<number> {
  /** Where to delete a checkpoint's refs. Git starts only in trusted folders; checkpoints in others wait. */
  const folderOf = ({ sessionId, folder }: CheckpointSize): string | null => {
    const row = store.session(sessionId);
    const project = row && places.project({ projectId: row.projectId });
    if (!project?.ok || !project.value.trusted) return null;
    // A worktree may be parked, and its refs are in the project's repository.
    return row?.place?.kind === 'worktree' ? project.value.dir : folder;
  };
  const due = checkpointsToPrune(store.checkpointSizes(), storedCheckpointLimits(store), now());
  let pruned = 0;
  for (const [folder, all] of Map.groupBy(due, folderOf)) {
    const opened = folder === null ? null : await git.openRecorded(folder);
    if (!opened?.ok) continue;
    const { tree } = opened.value;
    const sizes = all.filter(({ gitDir }) => isOfRepository(tree.repository, gitDir));
    for (let start = 0; start < sizes.length; start += atOnce) {
      const rows = sizes
        .slice(start, start + atOnce)
        .flatMap(({ sessionId, turnId }) => store.checkpoint(sessionId, turnId) ?? []);
      if (!(await tree.forget(rows.flatMap(refsOf))).ok) break;
      await store.write(rows.map((row) => ({ type: 'put-checkpoint', row: { ...row, pruned: true } })));
      pruned += rows.length;
    }
  }
  return pruned;
}

/** Deletes refs, if their repository can be opened. */
export async function forgetRefs(git: Git, folder: string, refs: readonly string[]): Promise<void> {
  const opened = await git.openRecorded(folder);
  if (opened.ok) await opened.value.tree.forget(refs);
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
