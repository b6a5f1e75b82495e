import { fail, ok, type MergeWorktreeBody, type MergeWorktreeReply, type Result } from '@liminal/contracts';
import { openWorktrees, type Alone, type WorktreeDeps } from './worktree-deps.ts';

/** Brings the commits of a worktree back into a branch. What is not committed is not part of it, and is said to be there. */
export function createMerging(deps: WorktreeDeps, alone: Alone) {
  return {
    merge: (
      worktreeId: string,
      { how, into, dryRun = false }: MergeWorktreeBody,
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
        const request = { branch: row.branch, into: target, how };
        if (dryRun) {
          const plan = await trees.planMerge(request);
          const { dirty } = work.value;
          if (plan.ok) return ok({ ...plan.value, dirty });
          const { code, message, details } = plan.failure;
          return fail(code, message, { ...details, dirty });
        }
        const merged = await trees.merge(request);
        return merged.ok ? ok({ commit: merged.value }) : merged;
      }),
    /** Takes a merge back that nobody has built upon. */
    async undoMerge(projectId: string, into: string, moved: { from: string; to: string }): Promise<Result<null>> {
      const opened = await openWorktrees(deps, projectId);
      return opened.ok ? opened.value.trees.undoMerge(into, moved) : opened;
    },
    /** The commit a branch of the project is at. */
    async branchCommit(projectId: string, branch: string): Promise<Result<string | null>> {
      const opened = await openWorktrees(deps, projectId);
      return opened.ok ? opened.value.trees.branchCommit(branch) : opened;
    },
  };
}
