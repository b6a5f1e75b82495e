import { isAbsolute } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';
import type { AppDeps } from '../build-app.ts';
import type { Handlers } from './handlers.ts';

export function worktreeHandlers({ worktrees, projects, projectSettings }: AppDeps): Handlers['worktree'] {
  /** Fails if the folder is on another machine. */
  const inProject = async <T>(projectId: string, then: () => Promise<Result<T>> | Result<T>): Promise<Result<T>> => {
    const project = projects.get(projectId);
    return project.ok ? then() : project;
  };
  return {
    list: (projectId) => inProject(projectId, () => worktrees.list(projectId)),
    create: (projectId, body) => inProject(projectId, () => worktrees.create(projectId, body)),
    branches: (projectId) => inProject(projectId, () => worktrees.branches(projectId)),
    read: (worktreeId) => worktrees.read(worktreeId),
    startAnyway: (worktreeId) => worktrees.startAnyway(worktreeId),
    park: (worktreeId, body) => worktrees.park(worktreeId, body),
    restore: (worktreeId) => worktrees.restore(worktreeId),
    merge: (worktreeId, body) => worktrees.merge(worktreeId, body),
    push: (worktreeId) => worktrees.push(worktreeId),
    pullRequest: (worktreeId, body) => worktrees.pullRequest(worktreeId, body),
    recreate: (worktreeId) => worktrees.recreate(worktreeId),
    remove: (worktreeId, query) => worktrees.remove(worktreeId, query),
    settings: (projectId) => inProject(projectId, () => ok(projectSettings.get(projectId))),
    saveSettings: (projectId, body) =>
      inProject(projectId, () => {
        const { worktreeFolder = '' } = body;
        if (worktreeFolder !== '' && !isAbsolute(worktreeFolder))
          return fail('INVALID_REQUEST', 'Enter the absolute path of the folder for worktrees.');
        return projectSettings.set(projectId, body);
      }),
  };
}
