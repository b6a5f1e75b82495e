import { ok, type Result } from '@liminal/contracts';
import { expectGit, type GitRunner } from '../run-git.ts';
import { commitTree, mergeTrees } from './merge-trees.ts';

/**
 * Rebases each commit of a branch without a working tree. Git merges from the last common commit, so each step makes
 * one up from the tree of the commit's parent.
 */
export async function rebasedCommit(
  runner: GitRunner,
  root: string,
  onto: string,
  tip: string,
): Promise<Result<string>> {
  const text = async (args: readonly string[]): Promise<Result<string>> => {
    const ran = await expectGit(runner, { cwd: root, args });
    return ran.ok ? ok(ran.value.stdout.toString()) : ran;
  };
  const listed = await text(['rev-list', '--reverse', '--no-merges', '--topo-order', `${onto}..${tip}`]);
  if (!listed.ok) return listed;
  let at = onto;
  for (const commit of listed.value.split('\n').filter((line) => line !== '')) {
    const step = await rebaseOne(runner, root, at, commit, text);
    if (!step.ok) return step;
    at = step.value;
  }
  return ok(at);
}

const nobody = {
  GIT_AUTHOR_NAME: 'Liminal Builder',
  GIT_AUTHOR_EMAIL: 'liminal@localhost',
  GIT_COMMITTER_NAME: 'Liminal Builder',
  GIT_COMMITTER_EMAIL: 'liminal@localhost',
};

async function rebaseOne(
  runner: GitRunner,
  root: string,
  onto: string,
  commit: string,
  text: (args: readonly string[]) => Promise<Result<string>>,
): Promise<Result<string>> {
  const scratch = async (tree: string, ...parents: string[]): Promise<Result<string>> => {
    const args = ['commit-tree', ...parents.flatMap((id) => ['-p', id]), '-m', 'scratch', tree];
    const ran = await expectGit(runner, { cwd: root, writes: true, env: nobody, args });
    return ran.ok ? ok(ran.value.stdout.toString().trim()) : ran;
  };
  const base = await scratch(`${commit}^^{tree}`);
  if (!base.ok) return base;
  const ours = await scratch(`${onto}^{tree}`, base.value);
  if (!ours.ok) return ours;
  const theirs = await scratch(`${commit}^{tree}`, base.value);
  if (!theirs.ok) return theirs;
  const tree = await mergeTrees(runner, root, ours.value, theirs.value);
  if (!tree.ok) return tree;
  const before = await text(['rev-parse', `${onto}^{tree}`]);
  if (!before.ok) return before;
  // Its changes are already there.
  if (before.value.trim() === tree.value) return ok(onto);
  const shown = await text(['show', '--no-patch', '--format=%an%x00%ae%x00%aI%x00%B', commit]);
  if (!shown.ok) return shown;
  const [name = '', email = '', date = '', message = ''] = shown.value.split('\0');
  const author = { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date };
  return commitTree(runner, root, tree.value, [onto], message, author);
}
