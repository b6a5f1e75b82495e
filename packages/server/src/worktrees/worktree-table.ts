import { type Result, fail, ok, type Worktree, type WorktreeProgress, type WorktreeSetup } from '@liminal/contracts';
import type { Store } from '../store/store.ts';
import type { WorktreeRow } from '../store/worktree-rows.ts';

/** State of a worktree that isn't in its row, so it is lost when the server ends. */
export type LiveWorktree = {
  readonly progress?: WorktreeProgress | undefined;
  readonly setup?: WorktreeSetup | undefined;
  readonly dirty?: boolean;
  readonly ahead?: number;
  readonly isMissing?: boolean;
  readonly startedFor?: string | undefined;
  /** Overrides the state of the row during an operation. */
  readonly state?: Worktree['state'] | undefined;
};

export type WorktreeChange = { readonly worktrees: readonly Worktree[]; readonly removed: readonly string[] };
export type WorktreeTable = ReturnType<typeof createWorktreeTable>;

/** Our worktrees: what must survive is on disk, operations are in memory. Every change is published. */
export function createWorktreeTable(store: Store) {
  const rows = new Map(store.worktrees().map((row) => [row.worktreeId, row]));
  const live = new Map<string, LiveWorktree>();
  const followers = new Set<(change: WorktreeChange) => void>();
  const publish = (change: WorktreeChange): void => {
    for (const follower of followers) follower(change);
  };
  const worktreeOf = (row: WorktreeRow): Worktree => {
    const now = live.get(row.worktreeId) ?? {};
    const used = row.sessionId === null ? undefined : store.session(row.sessionId)?.updatedAt;
    // Half a folder counts as none.
    const isMissing = now.isMissing === true || row.step !== null;
    const setup = now.setup ?? (row.setup && { ...row.setup, running: false });
    return {
      worktreeId: row.worktreeId,
      projectId: row.projectId,
      sessionId: row.sessionId,
      ...(now.startedFor !== undefined && { startedFor: now.startedFor }),
      folder: row.folder,
      branch: row.branch,
      base: row.base,
      state: now.state ?? (isMissing && row.state !== 'parked' ? 'missing' : row.state),
      ...(now.progress && { progress: now.progress }),
      ...(row.error !== null && { error: row.error }),
      ...(row.notice !== null && { notice: row.notice }),
      ...(setup && { setup }),
      dirty: row.park?.dirty ?? now.dirty ?? false,
      ahead: row.park?.ahead ?? now.ahead ?? 0,
      size: row.size,
      lastUsed: used !== undefined && used > row.lastUsed ? used : row.lastUsed,
    };
  };
  const changed = (worktreeId: string): void => {
    const row = rows.get(worktreeId);
    if (row) publish({ worktrees: [worktreeOf(row)], removed: [] });
  };

  return {
    rows: (): readonly WorktreeRow[] => [...rows.values()],
    find(worktreeId: string): Result<WorktreeRow, 'WORKTREE_NOT_FOUND'> {
      const row = rows.get(worktreeId);
      return row ? ok(row) : fail('WORKTREE_NOT_FOUND', 'There is no such worktree.');
    },
    of: worktreeOf,
    /** The change is durable once this resolves, and takes effect only then. */
    async put(row: WorktreeRow): Promise<WorktreeRow> {
      await store.write([{ type: 'put-worktree', row }]);
      rows.set(row.worktreeId, row);
      changed(row.worktreeId);
      return row;
    },
    async remove(worktreeId: string): Promise<void> {
      await store.write([{ type: 'remove-worktree', worktreeId }]);
      rows.delete(worktreeId);
      live.delete(worktreeId);
      publish({ worktrees: [], removed: [worktreeId] });
    },
    note(worktreeId: string, about: LiveWorktree): void {
      live.set(worktreeId, { ...live.get(worktreeId), ...about });
      changed(worktreeId);
    },
    /** Calls back after every change. Returns a function that stops it. */
    follow(follower: (change: WorktreeChange) => void): () => void {
      followers.add(follower);
      return () => void followers.delete(follower);
    },
  };
}
