import { fail, ok, type Result } from '@liminal/contracts';
import type { RepositoryWorktrees } from '../git/worktrees/repository-worktrees.ts';
import type { WorktreeRow } from '../store/worktree-rows.ts';

/** The branch with a worktree's work. The agent may have switched to another one than it was created with. */
export async function currentBranch(
  { state, root, branch }: Pick<WorktreeRow, 'state' | 'root' | 'branch'>,
  trees: Pick<RepositoryWorktrees, 'list'>,
): Promise<Result<string>> {
  if (state === 'parked') return ok(branch);
  const listed = await trees.list();
  if (!listed.ok) return listed;
  const entry = listed.value.find((each) => each.root === root);
  const current = entry ? entry.branch : branch;
  if (current !== null) return ok(current);
  return fail(
    'NOT_SUPPORTED',
    'No branch is checked out in this worktree. Switch to one first: `git switch <branch>`.',
  );
}
