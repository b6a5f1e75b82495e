import { ok, type Result } from '@liminal/contracts';
import { removalRefusal } from './removal-refusal.ts';
import type { RemovedFolders } from './removed-folders.ts';
import { openWorktrees, type Alone, type WorktreeDeps } from './worktree-deps.ts';
import type { WorktreeTable } from './worktree-table.ts';

/** Removes an existing worktree if nothing is lost with it. */
export const createRemoving =
  (deps: WorktreeDeps, table: WorktreeTable, alone: Alone, removedFolders: Pick<RemovedFolders, 'idle'>) =>
  (worktreeId: string, dropIgnored: boolean): Promise<Result<null>> =>
    alone(worktreeId, async (row) => {
      if (row.state === 'failed' && row.setup === null) {
        await table.remove(worktreeId);
        return ok(null);
      }
      const opened = await openWorktrees(deps, row.projectId);
      if (!opened.ok) return opened;
      const { trees } = opened.value;
      const refused = await removalRefusal(row, trees, dropIgnored);
      if (!refused.ok) return refused;
      const released = await deps.release(row);
      if (!released.ok) return released;
      // An agent may have written a file until it ended.
      const stillRefused = await removalRefusal(row, trees, dropIgnored);
      if (!stillRefused.ok) return stillRefused;
      // A parked worktree has no folder. What is at its old path now belongs to someone else.
      const removed = row.park && row.step === null ? ok(null) : await trees.remove(row.root);
      if (!removed.ok) return removed;
      const listed = await trees.list();
      const isUsed = !listed.ok || listed.value.some(({ branch }) => branch === row.branch);
      const left = await trees.commitsOnlyOn(row.branch);
      const tip = await trees.branchCommit(row.branch);
      // Delete the branch only if all its commits are on another one, and it isn't checked out elsewhere.
      if (!isUsed && left.ok && left.value === 0 && tip.ok && tip.value !== null)
        await trees.deleteBranch(row.branch, tip.value);
      if (row.park) {
        await trees.forgetPark(worktreeId);
        // Wait until its folder is deleted: the next server looks for leftovers only beside worktrees in the table.
        await removedFolders.idle();
      }
      await table.remove(worktreeId);
      return ok(null);
    });
