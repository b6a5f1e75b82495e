import { fail, ok, type Result, type Worktree } from '@liminal/contracts';
import { isGone } from './list-worktrees.ts';
import { openWorktrees, type Alone, type WorktreeDeps } from './worktree-deps.ts';
import type { WorktreeTable } from './worktree-table.ts';

/** Recreates the folder of a missing worktree from its branch. Uncommitted changes stay lost. */
export const createRecreating =
  (deps: WorktreeDeps, table: WorktreeTable, alone: Alone) =>
  (worktreeId: string): Promise<Result<Worktree>> =>
    alone(worktreeId, async (row) => {
      if (row.state === 'parked' || (row.step === null && !(await isGone(row.root))))
        return fail('NOT_SUPPORTED', "This worktree isn't missing.");
      const opened = await openWorktrees(deps, row.projectId);
      if (!opened.ok) return opened;
      const { trees } = opened.value;
      const tip = await trees.branchCommit(row.branch);
      if (!tip.ok) return tip;
      // Recorded first: a server that is killed meanwhile leaves half a folder.
      await table.put({ ...row, step: 'restoring' });
      const cleared = await trees.remove(row.root);
      if (!cleared.ok) return cleared;
      const how = tip.value === null ? { newBranch: row.branch } : { newBranch: null, branch: row.branch };
      const target = { root: row.root, commit: tip.value ?? row.baseCommit, reason: `liminal ${worktreeId}` };
      const registered = await trees.register({ ...target, ...how });
      if (!registered.ok) {
        await table.put({ ...row, step: null });
        return registered;
      }
      table.note(worktreeId, { state: 'creating', isMissing: false });
      const filled = await trees.fill(row.root, {
        onProgress: (done, total) => table.note(worktreeId, { progress: { step: 'files', done, total } }),
      });
      table.note(worktreeId, { state: undefined, progress: undefined });
      if (!filled.ok) {
        const removed = await trees.remove(row.root);
        if (removed.ok) await table.put({ ...row, step: null });
        return filled;
      }
      await trees.include(row.root, row.baseCommit);
      return ok(table.of(await table.put({ ...row, state: 'ready', step: null, error: null })));
    });
