import { ok, type Result } from '@liminal/contracts';
import { expectGit, type GitRunner } from './run-git.ts';

const branch = 'main';
const author = { GIT_AUTHOR_NAME: 'Liminal Builder', GIT_AUTHOR_EMAIL: 'demo@localhost' };
const committer = { GIT_COMMITTER_NAME: 'Liminal Builder', GIT_COMMITTER_EMAIL: 'demo@localhost' };

/** Turns a folder into a repository with everything in it as the first commit. Sets a name if the user has none. */
export async function makeRepository(runner: GitRunner, folder: string, message: string): Promise<Result<null>> {
  const named = await runner({ cwd: folder, args: ['config', '--get', 'user.email'] });
  if (!named.ok) return named;
  // An empty template, because the user's hooks for new repositories aren't meant for this one.
  const steps = [
    ['init', '--quiet', '--template=', `--initial-branch=${branch}`],
    ...(named.value.code === 0
      ? []
      : [
          ['config', 'user.name', author.GIT_AUTHOR_NAME],
          ['config', 'user.email', author.GIT_AUTHOR_EMAIL],
        ]),
    ['add', '--all'],
    ['commit', '--quiet', '--message', message],
  ];
  for (const args of steps) {
    const ran = await expectGit(runner, { cwd: folder, writes: true, env: { ...author, ...committer }, args });
    if (!ran.ok) return ran;
  }
  return ok(null);
}
