import { ok, type Result } from '@liminal/contracts';
import type { WorktreeRow } from '../store/worktree-rows.ts';
import { openWorktrees, type Alone, type WorktreeDeps } from './worktree-deps.ts';
import type { WorktreeTable } from './worktree-table.ts';

const interrupted = 'The server stopped while it created this worktree. Nothing was left behind. Create it again.';
const setupInterrupted = 'The server stopped while the setup command ran. Read its output, then start anyway.';

/**
 * Cleans up after a killed server: removes worktrees that were being created or restored, and completes parking. Starts
 * git only if there is something to do.
 */
export async function recoverWorktrees(deps: WorktreeDeps, table: WorktreeTable, alone: Alone): Promise<void> {
  for (const { worktreeId, state, step } of table.rows()) {
    if (state === 'setup') {
      await alone(worktreeId, async (row) => ok(await table.put({ ...row, state: 'failed', error: setupInterrupted })));
    } else if (state === 'creating' || step !== null) {
      await alone(worktreeId, (row) => finish(deps, table, row));
    }
  }
}

async function finish(deps: WorktreeDeps, table: WorktreeTable, row: WorktreeRow): Promise<Result<null>> {
  const opened = await openWorktrees(deps, row.projectId);
  // Retried at the next start: the folder may be trusted or its disk mounted by then.
  if (!opened.ok) return opened;
  const { trees } = opened.value;
  const removed = await trees.remove(row.root);
  if (!removed.ok) return removed;
  if (row.state === 'creating') {
    await trees.deleteBranch(row.branch, row.baseCommit);
    await table.put({ ...row, state: 'failed', error: interrupted });
    return ok(null);
  }
  await table.put({ ...row, step: null, ...(row.step === 'removing' && { size: 0 }) });
  return ok(null);
}
