import { ok, type Result } from '@liminal/contracts';
import type { RecordedFolder, RestorePlan } from '../../git/git.ts';
import { isOfRepository } from '../../git/repository.ts';
import type { TurnTrees } from '../../git/restore/restore-plan.ts';
import type { CheckpointRow, KeptTree } from '../../store/review-rows.ts';

export type TurnsPlan = RestorePlan & {
  /** The checkpoints that can be restored. */
  readonly kept: readonly CheckpointRow[];
  /** What is true of turns whose checkpoints are in another repository; null if there are none. */
  readonly elsewhere: string | null;
};

/** Plans how to revert the turns of these checkpoints, as far as the folder's current repository has them. */
export async function planTurns(
  { tree, isShadow }: RecordedFolder,
  rows: readonly CheckpointRow[],
  /** Paths that calls of these turns named. */
  named: ReadonlySet<string>,
): Promise<Result<TurnsPlan>> {
  const plan = async (kept: readonly CheckpointRow[], elsewhere: string | null): Promise<Result<TurnsPlan>> => {
    const turns = kept.flatMap(({ before, after }) => (before && after ? [turnTrees(before, after)] : []));
    const planned = await tree.planRestore(turns, named);
    return planned.ok ? ok({ ...planned.value, kept, elsewhere }) : planned;
  };
  const all = await plan(rows, null);
  if (all.ok || all.failure.code !== 'GIT_FAILED') return all;
  const here = rows.filter(({ gitDir }) => isOfRepository(tree.repository, gitDir));
  return here.length === rows.length ? all : plan(here, isShadow ? removedSince : becameRepository);
}

const turnTrees = (before: KeptTree, after: KeptTree): TurnTrees => ({
  from: before.tree,
  to: after.tree,
  begunAt: before.at,
  // Unknown counts as changed: no file of the user's may be deleted because of it.
  ignoringChanged: before.ignoreState === null || before.ignoreState !== after.ignoreState,
  raw: before.raw,
  notKept: before.notKept,
});

const becameRepository = 'were recorded before this folder became a git repository';
const removedSince = 'were recorded in a git repository that this folder no longer has';
