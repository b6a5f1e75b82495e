import { fail, ok, type MergeWorktreeBody, type MergeWorktreeReply, type Result } from '@liminal/contracts';
import type { BranchMove } from '../git/worktrees/merge-branch.ts';
import { currentBranch } from './current-branch.ts';
import { openWorktrees, type Alone, type WorktreeDeps } from './worktree-deps.ts';

/** Merges a worktree's commits into a branch. Uncommitted changes aren't included, and are reported. */
export function createMerging(deps: WorktreeDeps, alone: Alone) {
  return {
    merge: (
      worktreeId: string,
      { how, into, dryRun = false }: MergeWorktreeBody,
      /** Called with the move before it happens. */
      confirm?: (moved: BranchMove) => Promise<void>,
    ): Promise<Result<MergeWorktreeReply>> =>
      alone<MergeWorktreeReply>(worktreeId, async (row) => {
        const target = into ?? row.base;
        if (target === null) return fail('INVALID_REQUEST', 'Name the branch to merge into.');
        const opened = await openWorktrees(deps, row.projectId);
        if (!opened.ok) return opened;
        const { trees } = opened.value;
        const work = row.park ? ok({ dirty: row.park.dirty }) : await trees.unsaved(row.root);
        if (!work.ok) return work;
        if (work.value.dirty && !dryRun)
          return fail('WORKTREE_DIRTY', 'This worktree has changes that are not committed. Commit them first.');
        const branch = await currentBranch(row, trees);
        if (!branch.ok) return branch;
        const request = { branch: branch.value, into: target, how };
        if (dryRun) {
          const plan = await trees.planMerge(request);
          const { dirty } = work.value;
          if (plan.ok) return ok({ ...plan.value, dirty });
          const { code, message, details } = plan.failure;
          return fail(code, message, { ...details, dirty });
        }
        const merged = await trees.merge(request, confirm);
        return merged.ok ? ok({ commit: merged.value }) : merged;
      }),
    /** Completes a confirmed merge that may have been interrupted. */
    async finishMerge(projectId: string, into: string, moved: BranchMove): Promise<Result<null>> {
      const opened = await openWorktrees(deps, projectId);
      return opened.ok ? opened.value.trees.finishMerge(into, moved) : opened;
    },
    /** Undoes a merge, unless the branch has moved since. */
    async undoMerge(projectId: string, into: string, moved: BranchMove): Promise<Result<null>> {
      const opened = await openWorktrees(deps, projectId);
      return opened.ok ? opened.value.trees.undoMerge(into, moved) : opened;
    },
  };
}
