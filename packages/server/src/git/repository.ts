import { createHash } from 'node:crypto';
import { access, lstat, readFile, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';
import { readHeadFile, type Head } from './opening/head-file.ts';
import { gitMissing, gitMessage, type GitRunner } from './run-git.ts';

/** A folder's location in a repository. */
export type Repository = {
  /** The real path of the project's folder. */
  readonly folder: string;
  /** The root of the working tree. */
  readonly root: string;
  /** The folder below the root, with a trailing `/`. Empty for the root. */
  readonly prefix: string;
  /** The git directory of this working tree, and the one shared by all working trees of the repository. */
  readonly gitDir: string;
  readonly commonDir: string;
  readonly hash: 'sha1' | 'sha256';
};

/** Whether this is the git directory of the repository or of one of its worktrees. */
export const isOfRepository = ({ commonDir }: Repository, gitDir: string): boolean =>
  gitDir === commonDir || gitDir.startsWith(`${commonDir}/`);

export type OpenFailure = 'GIT_MISSING' | 'NOT_A_REPOSITORY' | 'GIT_FAILED';

const least: readonly [number, number] = [2, 38];

/** Fails if git is missing or too old. */
export async function checkVersion(runner: GitRunner, cwd: string): Promise<Result<null, OpenFailure>> {
  const ran = await runner({ cwd, args: ['--version'] });
  if (!ran.ok) return ran;
  const found = /(\d+)\.(\d+)/.exec(ran.value.stdout.toString());
  if (!found) return fail('GIT_MISSING', gitMissing);
  const [major, minor] = [Number(found[1]), Number(found[2])];
  const isEnough = major > least[0] || (major === least[0] && minor >= least[1]);
  if (isEnough) return ok(null);
  return fail('GIT_MISSING', `Git ${found[0]} is too old. Install git ${least.join('.')} or newer, then try again.`);
}

/**
 * Finds the repository of a folder. Git does the search without an explicit path: only then does it refuse a repository
 * of another user. A repository whose settings point to files elsewhere is refused here.
 */
export async function findRepository(runner: GitRunner, dir: string): Promise<Result<Repository, OpenFailure>> {
  const folder = await realpath(dir).catch(() => null);
  if (folder === null) return fail('NOT_A_REPOSITORY', `The folder ${dir} is gone.`);
  const args = ['rev-parse', '--path-format=absolute', '--absolute-git-dir', '--git-common-dir'];
  const ran = await runner({
    cwd: folder,
    args: [...args, '--is-bare-repository', '--is-inside-git-dir', '--show-object-format', '--show-toplevel'],
  });
  if (!ran.ok) return ran;
  const { code, stdout, stderr } = ran.value;
  const [gitDir = '', commonDir = '', isBare, isInside, hash, root = ''] = stdout.toString().split('\n');
  if (isBare === 'true' || isInside === 'true') {
    return fail('NOT_A_REPOSITORY', 'This folder is a git directory without working files.');
  }
  if (code !== 0) return refusal(stderr, folder);
  if (hash !== 'sha1' && hash !== 'sha256')
    return fail('GIT_FAILED', `Git's object format "${hash ?? ''}" isn't supported here.`);
  const prefix = prefixOf(root, folder);
  if (prefix === null || !(await isThere(join(root, '.git')))) {
    return fail(
      'NOT_A_REPOSITORY',
      `The repository's settings (core.worktree) point to ${root}, outside this folder. Remove that setting to see changes.`,
    );
  }
  return ok({ folder, root, prefix, gitDir, commonDir, hash });
}

function refusal(stderr: string, folder: string): Result<never, OpenFailure> {
  if (/not a git repository/i.test(stderr)) {
    return fail(
      'NOT_A_REPOSITORY',
      'This folder is not in a git repository. Run `git init` in it to see every change.',
    );
  }
  if (/dubious ownership/i.test(stderr)) {
    const command = `git config --global --add safe.directory ${folder}`;
    return fail(
      'GIT_FAILED',
      `Git refuses this repository because another user owns it. If it is yours, run: ${command}`,
    );
  }
  return fail('GIT_FAILED', gitMessage(stderr) || 'Git could not read this repository.');
}

/** Compares path segments. Null if the folder isn't below the root. */
function prefixOf(root: string, folder: string): string | null {
  const way = relative(resolve(root), folder);
  if (way === '') return '';
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? null : `${way.split(sep).join('/')}/`;
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** The object id git computes for content. */
export function blobId(hash: Repository['hash'], content: Buffer): string {
  return createHash(hash).update(`blob ${content.length}\0`).update(content).digest('hex');
}

/** The empty tree, which git knows without storing it. */
export const emptyTree = (hash: Repository['hash']): string => createHash(hash).update('tree 0\0').digest('hex');

/** An unfinished git operation. No file is restored during one. */
export type Operation = 'merge' | 'rebase' | 'cherry-pick' | 'revert';

const traces: readonly (readonly [string, Operation])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
];

export type TreeState = {
  /** Null before the first commit. */
  readonly head: string | null;
  /** Null on a detached HEAD. */
  readonly branch: string | null;
  readonly operation: Operation | null;
  /** Another git process holds the user's index. */
  readonly isLocked: boolean;
  readonly isSparse: boolean;
  /** Large files are stored elsewhere. Their content here is a pointer. */
  readonly usesLfs: boolean;
};

export async function readState(runner: GitRunner, repository: Repository): Promise<Result<TreeState, OpenFailure>> {
  const { root, gitDir } = repository;
  const [head, sparse, locked, usesLfs, ...operations] = await Promise.all([
    readHeadFile(repository),
    isThere(join(gitDir, 'info', 'sparse-checkout')),
    isThere(join(gitDir, 'index.lock')),
    readFile(join(root, '.gitattributes'), 'utf8').then(
      (text) => text.includes('filter=lfs'),
      () => false,
    ),
    ...traces.map(([name]) =>
      access(join(gitDir, name)).then(
        () => true,
        () => false,
      ),
    ),
  ]);
  const place = head === null ? await askForHead(runner, root) : ok(head);
  if (!place.ok) return place;
  const isSparse = sparse && (await isSparseOn(runner, root));
  return ok({
    ...place.value,
    operation: traces[operations.indexOf(true)]?.[1] ?? null,
    isLocked: locked,
    isSparse,
    usesLfs,
  });
}

async function askForHead(runner: GitRunner, cwd: string): Promise<Result<Head, OpenFailure>> {
  const [head, branch] = await Promise.all([
    runner({ cwd, args: ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'] }),
    runner({ cwd, args: ['symbolic-ref', '--quiet', '--short', 'HEAD'] }),
  ]);
  if (!head.ok) return head;
  if (!branch.ok) return branch;
  return ok({
    head: head.value.code === 0 ? head.value.stdout.toString().trim() : null,
    branch: branch.value.code === 0 ? branch.value.stdout.toString().trim() : null,
  });
}

async function isSparseOn(runner: GitRunner, cwd: string): Promise<boolean> {
  const ran = await runner({ cwd, args: ['config', '--type=bool', '--get', 'core.sparseCheckout'] });
  return ran.ok && ran.value.stdout.toString().trim() === 'true';
}
