import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fail, ok, type TerminalSummary } from '@liminal/contracts';
import type { Logger } from '../observe/logger.ts';
import { createAgentSpawner, type AgentSpawner } from '../processes/spawn-agent.ts';
import type { SessionRoster } from '../sessions/service/session-roster.ts';
import { releaseFolder } from '../sessions/service/session-worktrees.ts';
import { terminalEnvironment } from '../terminals/terminal-environment.ts';
import type { WorktreeDeps } from '../worktrees/worktree-deps.ts';
import { createWorktreeService, type WorktreeService } from '../worktrees/worktree-service.ts';

type WorktreeParts = Pick<WorktreeDeps, 'store' | 'git' | 'projects' | 'settings' | 'now' | 'newId'> & {
  readonly spawner?: AgentSpawner;
  readonly worktreeFolder?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly roster: SessionRoster;
  readonly terminals: () => readonly TerminalSummary[];
  readonly log: Logger;
};

/** This server's worktrees. A folder is removed only if no terminal or agent works in it. */
export function createWorktrees(parts: WorktreeParts): WorktreeService {
  const { store, git, projects, settings, now, newId, roster, terminals, log } = parts;
  return createWorktreeService({
    store,
    git,
    projects,
    settings,
    spawner: parts.spawner ?? createAgentSpawner({ log }),
    env: () => terminalEnvironment(parts.env ?? {}),
    folder: parts.worktreeFolder ?? join(tmpdir(), 'liminal-worktrees'),
    now,
    newId,
    async release({ root, worktreeId }) {
      if (terminals().some(({ running, folder }) => running && isBelow(root, folder)))
        return fail('TURN_RUNNING', 'A terminal is open in this worktree. Close it first.');
      const inside = roster.all().filter(({ shell }) => shell.row().place?.worktreeId === worktreeId);
      for (const opened of inside) {
        const released = await releaseFolder(opened);
        if (!released.ok) return released;
      }
      return ok(null);
    },
    onError: (error) => log.error({ err: error }, 'worktree task failed'),
  });
}

const isBelow = (folder: string, path: string): boolean => !relative(folder, path).startsWith('..');
