import { fail, ok, type Result } from '@liminal/contracts';
import { fieldsOf } from '../nul-fields.ts';
import { pathText } from '../path-text.ts';
import { expectGit, gitMessage, type GitRun, type GitRunner } from '../run-git.ts';

/** Merges two trees, or returns the files where both changed the same lines. Checks nothing out. */
export async function mergeTrees(
  runner: GitRunner,
  root: string,
  ours: string,
  theirs: string,
): Promise<Result<string>> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs];
  const ran = await runner({ cwd: root, writes: true, args });
  if (!ran.ok) return ran;
  const [tree, ...files] = fieldsOf(ran.value.stdout).map(pathText);
  if (ran.value.code === 0 && tree !== undefined) return ok(tree.trim());
  if (ran.value.code !== 1) return fail('GIT_FAILED', gitMessage(ran.value.stderr) || 'Git could not merge.');
  const names = [...new Set(files.filter((name) => name !== ''))];
  return fail('CONFLICT', `Both changed the same lines of ${names.slice(0, 5).join(', ')}. Nothing was merged.`, {
    files: names,
  });
}

/** Commits as the user would, with their name, and their signature if they sign. */
export async function commitTree(
  runner: GitRunner,
  root: string,
  tree: string,
  parents: readonly string[],
  message: string,
  env: GitRun['env'] = {},
): Promise<Result<string>> {
  const signs = await runner({
    cwd: root,
    profile: 'person',
    args: ['config', '--type=bool', '--get', 'commit.gpgSign'],
  });
  const sign = signs.ok && signs.value.stdout.toString().trim() === 'true' ? ['-S'] : [];
  const args = ['commit-tree', ...sign, ...parents.flatMap((id) => ['-p', id]), '-F', '-', tree];
  const ran = await expectGit(runner, { cwd: root, profile: 'person', writes: true, args, input: message, env });
  return ran.ok ? ok(ran.value.stdout.toString().trim()) : ran;
}
