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
  /** Where worktrees are made unless the project says otherwise. */
  readonly folder: string;
  readonly now: () => string;
  readonly newId: () => string;
  /** Ends whatever works in a folder that is to go, or says why it can't be ended now. */
  readonly release: (row: WorktreeRow) => Promise<Result<null>>;
  readonly onError: (error: unknown) => void;
  readonly setupMs?: number;
};

/** Does something to one worktree while nobody else does anything to it. */
export type Alone = <T>(worktreeId: string, task: (row: WorktreeRow) => Promise<Result<T>>) => Promise<Result<T>>;

export type OpenedWorktrees = { readonly project: Project; readonly trees: RepositoryWorktrees };

/** The repository of a project. No git in a folder nobody trusts. */
export async function openWorktrees(
  { git, projects }: Pick<WorktreeDeps, 'git' | 'projects'>,
  projectId: string,
): Promise<Result<OpenedWorktrees>> {
  const project = projects.get(projectId);
  if (!project.ok) return project;
  if (!project.value.trusted)
    return fail(
      'PROJECT_NOT_TRUSTED',
      `Git can run programs the folder configures. Trust "${project.value.name}" first, then try again.`,
    );
  const trees = await git.worktrees(project.value.dir);
  return trees.ok ? { ok: true, value: { project: project.value, trees: trees.value } } : trees;
}
