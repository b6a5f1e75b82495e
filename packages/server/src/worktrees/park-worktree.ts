import {
  fail,
  ok,
  type ParkWorktreeBody,
  type ParkWorktreeReply,
  type Result,
  type Worktree,
} from '@liminal/contracts';
import type { RepositoryWorktrees } from '../git/worktrees/repository-worktrees.ts';
import type { WorktreeRow } from '../store/worktree-rows.ts';
import { isGone } from './list-worktrees.ts';
import type { RemovedFolders } from './removed-folders.ts';
import { openWorktrees, type Alone, type WorktreeDeps } from './worktree-deps.ts';
import type { WorktreeTable } from './worktree-table.ts';

/** Removes the folder of a worktree while keeping all its work in the repository, and restores it. */
export function createParking(
  deps: WorktreeDeps,
  table: WorktreeTable,
  alone: Alone,
  removedFolders: Pick<RemovedFolders, 'tidy'>,
) {
  const park = async (
    row: WorktreeRow,
    trees: RepositoryWorktrees,
    { dryRun = false, dropIgnored = false, keep = [] }: ParkWorktreeBody,
  ): Promise<Result<ParkWorktreeReply>> => {
    const { worktreeId, root } = row;
    if (row.state !== 'ready' || row.step !== null || (await isGone(root)))
      return fail('NOT_SUPPORTED', 'Only a worktree that is ready can be parked.');
    const included = await trees.included(root, row.baseCommit);
    if (!included.ok) return included;
    const kept = [...included.value, ...keep];
    if (dryRun) {
      const plan = await trees.planPark(root, kept);
      return plan.ok ? ok({ notKept: [...plan.value] }) : plan;
    }
    const released = await deps.release(row);
    if (!released.ok) return released;
    table.note(worktreeId, { progress: { step: 'park' } });
    const parked = await trees.park(root, { worktreeId, keep: kept, dropIgnored });
    if (!parked.ok) return parked;
    const { commit, dirty, ahead, ignored, notKept } = parked.value;
    const held = { commit, dirty, ahead, ignored, at: deps.now() };
    // From here on, the parked commit is authoritative, and the folder only has to be removed.
    await table.put({ ...row, state: 'parked', step: 'removing', park: held, lastUsed: deps.now() });
    table.note(worktreeId, { progress: { step: 'remove' } });
    const removed = await trees.remove(root, { later: true });
    if (!removed.ok) return removed;
    await table.put({ ...row, state: 'parked', step: null, park: held, size: 0, lastUsed: deps.now() });
    removedFolders.tidy([root]);
    return ok({ notKept: [...notKept] });
  };

  const restore = async (row: WorktreeRow, trees: RepositoryWorktrees): Promise<Result<WorktreeRow>> => {
    const { worktreeId, root, park: held } = row;
    if (row.state !== 'parked' || held === null) return fail('NOT_SUPPORTED', "This worktree isn't parked.");
    if (row.step === null && !(await isGone(root)))
      return fail('CONFLICT', `The folder ${root} already exists. Move it away, then try again.`);
    await table.put({ ...row, step: 'restoring' });
    table.note(worktreeId, { state: 'creating', progress: { step: 'restore' } });
    const restored = await trees.restore({
      root,
      commit: held.commit,
      reason: `liminal ${worktreeId}`,
      onProgress: (done, total) => table.note(worktreeId, { progress: { step: 'restore', done, total } }),
    });
    if (!restored.ok) {
      await trees.remove(root);
      await table.put({ ...row, step: null });
      return restored;
    }
    const { branch, notice } = restored.value;
    const back = { state: 'ready', step: null, park: null, lastUsed: deps.now() } as const;
    const made = await table.put({ ...row, ...back, branch: branch ?? row.branch, notice: notice ?? row.notice });
    await trees.forgetPark(worktreeId);
    return ok(made);
  };

  const run = <T>(
    worktreeId: string,
    task: (row: WorktreeRow, trees: RepositoryWorktrees) => Promise<Result<T>>,
  ): Promise<Result<T>> =>
    alone(worktreeId, async (row) => {
      const opened = await openWorktrees(deps, row.projectId);
      if (!opened.ok) return opened;
      try {
        return await task(row, opened.value.trees);
      } finally {
        table.note(worktreeId, { progress: undefined, state: undefined });
      }
    });

  return {
    park: (worktreeId: string, body: ParkWorktreeBody) => run(worktreeId, (row, trees) => park(row, trees, body)),
    async restore(worktreeId: string): Promise<Result<Worktree>> {
      const restored = await run(worktreeId, restore);
      return restored.ok ? ok(table.of(restored.value)) : restored;
    },
  };
}
