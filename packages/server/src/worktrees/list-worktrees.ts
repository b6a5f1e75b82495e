import { createHash } from 'node:crypto';
import { lstat, realpath } from 'node:fs/promises';
import { ok, type Result, type Worktree } from '@liminal/contracts';
import type { RepositoryWorktrees } from '../git/worktrees/repository-worktrees.ts';
import { sizeOf } from '../git/worktrees/unsaved-work.ts';
import type { WorktreeRow } from '../store/worktree-rows.ts';
import { openWorktrees, type WorktreeDeps } from './worktree-deps.ts';
import type { WorktreeTable } from './worktree-table.ts';

const atOnce = 4;
const measuredForMs = 5 * 60_000;

/** Reads worktrees on request. Sizes take long, so they are measured in the background, one at a time. */
export function createWorktreeList(deps: WorktreeDeps, table: WorktreeTable) {
  const measuredAt = new Map<string, number>();
  let measuring = Promise.resolve();

  const measure = (row: WorktreeRow): void => {
    const { worktreeId, root } = row;
    const last = measuredAt.get(worktreeId) ?? -Infinity;
    if (performance.now() - last < measuredForMs) return;
    measuredAt.set(worktreeId, performance.now());
    measuring = measuring
      .then(async () => {
        const size = await sizeOf(Buffer.from(root));
        const now = table.find(worktreeId);
        if (now.ok && now.value.state === 'ready' && now.value.size !== size) await table.put({ ...now.value, size });
      })
      .catch(deps.onError);
  };
  const look = async (row: WorktreeRow, trees: RepositoryWorktrees | null): Promise<void> => {
    if (row.state === 'creating' || row.state === 'parked') return;
    const isMissing = await isGone(row.root);
    if (isMissing) return table.note(row.worktreeId, { isMissing, dirty: false });
    const unsaved = trees && row.state !== 'setup' ? await trees.unsaved(row.root) : null;
    // If it can't be checked, it counts as unsaved, so it isn't removed by mistake.
    const found = unsaved === null ? {} : unsaved.ok ? unsaved.value : { dirty: true };
    const { dirty, ahead } = { dirty: undefined, ahead: undefined, ...found };
    table.note(row.worktreeId, {
      isMissing,
      ...(dirty !== undefined && { dirty }),
      ...(ahead !== undefined && { ahead }),
    });
    if (row.state === 'ready') measure(row);
  };
  const foreign = async (projectId: string, trees: RepositoryWorktrees): Promise<Result<Worktree[]>> => {
    const listed = await trees.list();
    if (!listed.ok) return listed;
    const own = new Set(await Promise.all(table.rows().map(({ root }) => realpath(root).catch(() => root))));
    const others = listed.value.filter(
      ({ root, isMain }) => !isMain && !own.has(root) && root !== trees.repository.root,
    );
    return ok(
      await Promise.all(
        others.map(async ({ root, branch }): Promise<Worktree> => {
          const found = await lstat(root).catch(() => null);
          const worktreeId = `foreign-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`;
          const lastUsed = (found?.mtime ?? new Date(0)).toISOString();
          const about = { base: null, dirty: false, ahead: 0, size: null, lastUsed };
          return { worktreeId, projectId, sessionId: null, folder: root, branch, state: 'foreign', ...about };
        }),
      ),
    );
  };

  return {
    async list(projectId: string): Promise<Result<{ worktrees: Worktree[] }>> {
      const project = deps.projects.get(projectId);
      if (!project.ok) return project;
      const opened = await openWorktrees(deps, projectId);
      const trees = opened.ok ? opened.value.trees : null;
      const rows = table.rows().filter((row) => row.projectId === projectId);
      for (let at = 0; at < rows.length; at += atOnce)
        await Promise.all(rows.slice(at, at + atOnce).map((row) => look(row, trees)));
      const others = trees ? await foreign(projectId, trees) : ok([]);
      if (!others.ok) return others;
      const own = table.rows().filter((row) => row.projectId === projectId);
      return ok({ worktrees: [...own.map(table.of), ...others.value] });
    },
    /** Resolves when all measuring is done. */
    idle: (): Promise<void> => measuring,
  };
}

export const isGone = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => false,
    () => true,
  );
