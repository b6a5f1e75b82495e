import type { Project, Result } from '@liminal/contracts';
import { fail } from '@liminal/contracts';
import type { Git } from '../git/git.ts';
import type { RepositoryWorktrees } from '../git/worktrees/repository-worktrees.ts';
import type { ProjectSettingsService } from '../preferences/project-settings.ts';
import type { AgentSpawner } from '../processes/spawn-agent.ts';
import type { ProjectService } from '../projects/project-service.ts';
import type { Store } from '../store/store.ts';
import type { WorktreeRow } from '../store/worktree-rows.ts';

export type WorktreeDeps = {
  readonly store: Store;
  readonly git: Git;
  readonly projects: Pick<ProjectService, 'get'>;
  readonly settings: ProjectSettingsService;
  readonly spawner: AgentSpawner;
  /** The environment of the user who started the server, for their setup command. */
  readonly env: () => Readonly<Record<string, string>>;
  /** The folder for worktrees unless the project sets another. */
  readonly folder: string;
  readonly now: () => string;
  readonly newId: () => string;
  /** Ends everything that works in a folder that will be removed, or says why it can't. */
  readonly release: (row: WorktreeRow) => Promise<Result<null>>;
  readonly onError: (error: unknown) => void;
  readonly setupMs?: number;
};

/** Runs a task on one worktree while nothing else does. */
export type Alone = <T>(worktreeId: string, task: (row: WorktreeRow) => Promise<Result<T>>) => Promise<Result<T>>;

export type OpenedWorktrees = { readonly project: Project; readonly trees: RepositoryWorktrees };

/** A project in whose folders programs may run: the user has not removed it and trusts it. `why` explains a refusal. */
function trustedProject({ projects }: Pick<WorktreeDeps, 'projects'>, projectId: string, why: string): Result<Project> {
  const project = projects.get(projectId);
  if (!project.ok || project.value.trusted) return project;
  return fail('PROJECT_NOT_TRUSTED', `${why} Trust "${project.value.name}" first, then try again.`);
}

/** The same, for the setup and check commands of the user. */
export const mayRunCommands = (deps: Pick<WorktreeDeps, 'projects'>, projectId: string): Result<Project> =>
  trustedProject(deps, projectId, 'Commands run only in folders you trust.');

/** The repository of a project. Git never runs in an untrusted folder. */
export async function openWorktrees(
  { git, projects }: Pick<WorktreeDeps, 'git' | 'projects'>,
  projectId: string,
): Promise<Result<OpenedWorktrees>> {
  const project = trustedProject({ projects }, projectId, 'Git can run programs the folder configures.');
  if (!project.ok) return project;
  const trees = await git.worktrees(project.value.dir);
  return trees.ok ? { ok: true, value: { project: project.value, trees: trees.value } } : trees;
}
