import { fail, ok, type PushWorktreeReply, type Result } from '@liminal/contracts';
import { gitMessage, type GitRunner } from '../run-git.ts';
import { runWithHooks } from '../run-with-hooks.ts';

/** The remote to push a branch to: its own, `origin`, or the only one. */
async function remoteOf(runner: GitRunner, root: string, branch: string): Promise<Result<string | null>> {
  const own = await runner({ cwd: root, args: ['config', '--get', `branch.${branch}.remote`] });
  if (!own.ok) return own;
  const named = own.value.stdout.toString().trim();
  if (named !== '' && named !== '.') return ok(named);
  const listed = await runner({ cwd: root, args: ['remote'] });
  if (!listed.ok) return listed;
  const remotes = listed.value.stdout
    .toString()
    .split('\n')
    .filter((name) => name !== '');
  return ok(remotes.includes('origin') ? 'origin' : remotes.length === 1 ? (remotes[0] ?? null) : null);
}

export async function remoteUrl(runner: GitRunner, root: string, branch: string): Promise<Result<string | null>> {
  const remote = await remoteOf(runner, root, branch);
  if (!remote.ok || remote.value === null) return remote;
  const ran = await runner({ cwd: root, args: ['remote', 'get-url', '--push', remote.value] });
  return ran.ok ? ok(ran.value.code === 0 ? ran.value.stdout.toString().trim() : null) : ran;
}

/** Pushes as the user would, with their hooks, credentials and ssh. Never forces. */
export async function pushBranch(
  runner: GitRunner,
  { root, gitDir }: { readonly root: string; readonly gitDir: string },
  branch: string,
): Promise<Result<PushWorktreeReply>> {
  const remote = await remoteOf(runner, root, branch);
  if (!remote.ok) return remote;
  if (remote.value === null)
    return fail('GIT_FAILED', 'This repository has no remote to push to. Add one: `git remote add origin <address>`.');
  const name = `refs/heads/${branch}`;
  const args = ['push', '--set-upstream', remote.value, `${name}:${name}`];
  const ran = await runWithHooks(runner, gitDir, { cwd: root, args });
  if (!ran.ok) return ran;
  const { code, hook, output, stderr } = ran.value;
  if (code === 0) return ok({ remote: remote.value, branch, output });
  return hook === null
    ? pushFailure(stderr, remote.value, output)
    : fail('HOOK_FAILED', `The hook ${hook} rejected the push. Nothing was pushed.`, { hook, output });
}

/** Why a push failed, and what to do. */
export function pushFailure(stderr: string, remote: string, output: string): Result<never> {
  const details = { output };
  if (/\(non-fast-forward\)|\(fetch first\)|\[rejected\]/.test(stderr))
    return fail(
      'STALE',
      `"${remote}" has commits on this branch that you don't have. Fetch and merge them first.`,
      details,
    );
  if (/authentication failed|could not read username|permission denied|terminal prompts disabled|403/i.test(stderr))
    return fail(
      'GIT_FAILED',
      `"${remote}" rejected your credentials. Run \`git push\` once in a terminal to sign in, then try again.`,
      details,
    );
  if (
    /could not resolve host|unable to access|connection (refused|timed out)|does not appear to be a git/i.test(stderr)
  )
    return fail('GIT_FAILED', `"${remote}" can't be reached. Check its address and your connection.`, details);
  return fail('GIT_FAILED', gitMessage(stderr) || `"${remote}" rejected the push.`, details);
}
