import { createHash } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { basename, isAbsolute, join, relative } from 'node:path';
import { fail, ok, type CreateWorktreeBody, type Result } from '@liminal/contracts';
import type { WorktreeRow } from '../store/worktree-rows.ts';
import type { OpenedWorktrees, WorktreeDeps } from './worktree-deps.ts';

/** The base of a worktree: a branch, and the commit it was at when it was read. */
export type WorktreeBase = { readonly name: string; readonly commit: string };

/** Finds the base, and requires confirmation if its agent settings differ from those of the trusted folder. */
export async function findBase(
  { trees }: OpenedWorktrees,
  { base, trustConfiguration = false }: Pick<CreateWorktreeBody, 'base' | 'trustConfiguration'>,
): Promise<Result<WorktreeBase>> {
  const usual = base === undefined ? await trees.usualBase() : ok(base);
  if (!usual.ok) return usual;
  if (usual.value === null)
    return fail('GIT_FAILED', 'There is no commit to create a worktree from yet. Commit something first.');
  const commit = await trees.commitOf(usual.value);
  if (!commit.ok) return commit;
  if (commit.value === null)
    return fail('GIT_FAILED', `There is no branch "${usual.value}" in this repository. Choose another base.`);
  if (!trustConfiguration) {
    const differing = await trees.differingConfiguration(commit.value);
    if (!differing.ok) return differing;
    if (differing.value.length > 0) return configurationDiffers(usual.value, differing.value);
  }
  return ok({ name: usual.value, commit: commit.value });
}

/** Plans a new worktree, and rejects what isn't possible. Writes nothing. */
export async function planWorktree(
  { settings, folder, now }: WorktreeDeps,
  { project, trees }: OpenedWorktrees,
  base: WorktreeBase,
  { worktreeId, branch }: { readonly worktreeId: string; readonly branch?: string | undefined },
): Promise<Result<WorktreeRow>> {
  const { repository } = trees;
  const name = branch ?? `liminal/${slugOf(base.name)}-${worktreeId.slice(0, 4)}`;
  const free = await trees.checkNewBranch(name);
  if (!free.ok) return free;
  const { worktreeFolder } = settings.get(project.projectId);
  const placed = await placeFor(worktreeFolder === '' ? folder : worktreeFolder, repository.root);
  if (!placed.ok) return placed;
  const own = worktreeFolder === '' ? [`${slugOf(basename(repository.root))}-${hashOf(repository.commonDir)}`] : [];
  const root = join(placed.value, ...own, `${slugOf(name)}-${worktreeId.slice(0, 4)}`);
  const hasSubmodules = await trees.hasSubmodules(base.commit);
  return ok({
    worktreeId,
    projectId: project.projectId,
    sessionId: null,
    root,
    folder: repository.prefix === '' ? root : join(root, repository.prefix.slice(0, -1)),
    branch: name,
    base: base.name,
    baseCommit: base.commit,
    state: 'creating',
    step: null,
    error: null,
    notice: hasSubmodules ? emptySubmodules : null,
    setup: null,
    park: null,
    size: null,
    createdAt: now(),
    lastUsed: now(),
  });
}

const emptySubmodules =
  'Submodules are empty in a worktree. To fill them, run `git submodule update --init` or add it to the setup command.';

const configurationDiffers = (base: string, files: readonly string[]) =>
  fail(
    'PROJECT_NOT_TRUSTED',
    `"${base}" has different agent settings from the folder you trust: ${files.slice(0, 5).join(', ')}. Look at them, then confirm.`,
    { files, confirm: 'trustConfiguration' },
  );

/** The real path of the folder for worktrees. Inside the repository they would show up as new files. */
async function placeFor(folder: string, repository: string): Promise<Result<string>> {
  if (!isAbsolute(folder))
    return fail('PROJECT_DIR_INVALID', `The folder for worktrees must be an absolute path: "${folder}".`);
  try {
    await mkdir(folder, { recursive: true });
    const real = await realpath(folder);
    const way = relative(repository, real);
    if (way === '' || (!way.startsWith('..') && !isAbsolute(way)))
      return fail('PROJECT_DIR_INVALID', `Worktrees can't be inside the repository (${real}). Choose another folder.`);
    return ok(real);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    return fail('PROJECT_DIR_INVALID', `The folder for worktrees ${folder} can't be used (${code}).`);
  }
}

const slugOf = (name: string): string =>
  name
    .replace(/^.*\//, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 40) || 'work';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);
