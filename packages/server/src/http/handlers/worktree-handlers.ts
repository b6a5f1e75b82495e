import { isAbsolute } from 'node:path';
import { fail, ok } from '@liminal/contracts';
import type { AppDeps } from '../build-app.ts';
import type { Handlers } from './handlers.ts';

export function worktreeHandlers({ worktrees, projects, projectSettings }: AppDeps): Handlers['worktree'] {
  return {
    list: (projectId) => worktrees.list(projectId),
    create: (projectId, body) => worktrees.create(projectId, body),
    branches: (projectId) => worktrees.branches(projectId),
    read: (worktreeId) => worktrees.read(worktreeId),
    startAnyway: (worktreeId) => worktrees.startAnyway(worktreeId),
    park: (worktreeId, body) => worktrees.park(worktreeId, body),
    restore: (worktreeId) => worktrees.restore(worktreeId),
    merge: (worktreeId, body) => worktrees.merge(worktreeId, body),
    push: (worktreeId) => worktrees.push(worktreeId),
    pullRequest: (worktreeId, body) => worktrees.pullRequest(worktreeId, body),
    recreate: (worktreeId) => worktrees.recreate(worktreeId),
    remove: (worktreeId, query) => worktrees.remove(worktreeId, query),
    settings(projectId) {
      const project = projects.get(projectId);
      return project.ok ? ok(projectSettings.get(projectId)) : project;
    },
    async saveSettings(projectId, body) {
      const project = projects.get(projectId);
      if (!project.ok) return project;
      const { worktreeFolder = '' } = body;
      if (worktreeFolder !== '' && !isAbsolute(worktreeFolder))
        return fail('INVALID_REQUEST', 'Give the whole path of the folder for worktrees, starting with /.');
      return projectSettings.set(projectId, body);
    },
  };
}
