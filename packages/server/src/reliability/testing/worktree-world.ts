import { randomUUID } from 'node:crypto';
import { ok } from '@liminal/contracts';
import { createGitHere } from '../../git/testing/git-here.ts';
import { createLogger } from '../../observe/logger.ts';
import { createProjectSettings } from '../../preferences/project-settings.ts';
import { createAgentSpawner } from '../../processes/spawn-agent.ts';
import { createProjectService } from '../../projects/project-service.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { WorktreeDeps } from '../../worktrees/worktree-deps.ts';

/** Worktrees over a database on disk, without a server around them. */
export async function worktreeWorld(
  database: string,
  folder: string,
): Promise<{ deps: WorktreeDeps; close(): Promise<void> }> {
  const store = openSqliteStore(database);
  const now = () => new Date().toISOString();
  const newId = () => randomUUID();
  const spawner = createAgentSpawner({ log: createLogger('silent') });
  const deps: WorktreeDeps = {
    store,
    git: createGitHere(),
    projects: createProjectService({ store, now, newId }),
    settings: createProjectSettings(store),
    spawner,
    env: () => ({ PATH: process.env['PATH'] ?? '' }),
    folder,
    now,
    newId,
    release: async () => ok(null),
    onError(error) {
      throw error;
    },
  };
  return {
    deps,
    async close() {
      await spawner.close();
      await store.close();
    },
  };
}
