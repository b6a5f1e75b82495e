import { ok } from '@liminal/contracts';
import { headBranch } from '../../projects/head-branch.ts';
import type { AppDeps } from '../build-app.ts';
import type { Handlers } from './handlers.ts';

const usualFiles = 20;

export function projectHandlers({
  projects,
  sessions,
  preferences,
  projectSettings,
  fileFinder,
  terminals,
  worktrees,
}: AppDeps): Handlers['project'] {
  return {
    async list() {
      const listed = projects.list().map(async (project) => {
        const branch =
          project.trusted && (project.node?.presence ?? 'here') === 'here' ? await headBranch(project.dir) : null;
        const { commands, defaultPlace } = projectSettings.get(project.projectId);
        return {
          ...project,
          ...(branch !== null && { branch }),
          ...(commands.length > 0 && { commands }),
          ...(defaultPlace === 'worktree' && { defaultPlace }),
        };
      });
      return ok({ projects: await Promise.all(listed) });
    },
    async importSession(projectId, exported) {
      const project = projects.get(projectId);
      return project.ok ? sessions.importSession(projectId, exported) : project;
    },
    async add({ dir }) {
      const added = await projects.add(dir);
      return added.ok ? { ...ok(added.value.project), isOther: !added.value.isNew } : added;
    },
    async remove(projectId) {
      const removed = await projects.remove(projectId);
      if (!removed.ok) return removed;
      worktrees.trustChanged(projectId);
      await Promise.all([sessions.trustChanged(projectId), terminals.removeOf(projectId)]);
      return removed;
    },
    async trust(projectId, { trusted }) {
      const changed = await projects.trust(projectId, trusted);
      if (!changed.ok) return changed;
      worktrees.trustChanged(projectId);
      await sessions.trustChanged(projectId);
      return changed;
    },
    async files(projectId, { q = '', limit = usualFiles, worktreeId }) {
      const project = projects.get(projectId);
      if (!project.ok) return project;
      const folder = worktreeId === undefined ? ok(project.value.dir) : worktrees.folderOf(projectId, worktreeId);
      if (!folder.ok) return folder;
      return ok(await fileFinder.find({ ...project.value, dir: folder.value }, q, limit));
    },
    choices(projectId) {
      const project = projects.get(projectId);
      return project.ok ? ok({ choices: preferences.choicesOf(projectId) }) : project;
    },
  };
}

export function terminalHandlers({ signIn, terminals }: AppDeps): Handlers['terminal'] {
  return {
    open: (projectId, body) => terminals.open(projectId, body),
    list: (projectId) => terminals.list(projectId),
    signIn: (cliType, body) => signIn(cliType, body),
    remove: (terminalId) => terminals.remove(terminalId),
  };
}
