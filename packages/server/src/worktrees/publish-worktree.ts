import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import {
  fail,
  ok,
  type PullRequestBody,
  type PullRequestReply,
  type PushWorktreeReply,
  type Result,
} from '@liminal/contracts';
import type { WorktreeRow } from '../store/worktree-rows.ts';
import { currentBranch } from './current-branch.ts';
import { runProgram } from './run-program.ts';
import { openWorktrees, type WorktreeDeps } from './worktree-deps.ts';
import type { WorktreeTable } from './worktree-table.ts';

type Program = 'gh' | 'glab';
type Publish = Pick<WorktreeDeps, 'git' | 'projects' | 'spawner' | 'env'>;

/** Publishes a worktree's branch. Only commits are pushed. */
export function createPublishing(deps: Publish, table: Pick<WorktreeTable, 'find'>) {
  const push = async (row: WorktreeRow): Promise<Result<PushWorktreeReply>> => {
    const opened = await openWorktrees(deps, row.projectId);
    if (!opened.ok) return opened;
    const root = row.state === 'parked' ? opened.value.trees.repository.root : row.root;
    const branch = await currentBranch(row, opened.value.trees);
    return branch.ok ? opened.value.trees.push(root, branch.value) : branch;
  };

  const open = async (row: WorktreeRow, { title, body }: PullRequestBody): Promise<Result<PullRequestReply>> => {
    const opened = await openWorktrees(deps, row.projectId);
    if (!opened.ok) return opened;
    const { trees } = opened.value;
    const base = row.base ?? '';
    const branch = await currentBranch(row, trees);
    if (!branch.ok) return branch;
    const head = branch.value;
    const tip = await trees.branchCommit(head);
    if (!tip.ok) return tip;
    if (tip.value === null || tip.value === row.baseCommit)
      return fail('NOTHING_TO_COMMIT', `"${head}" has no commits of its own yet. Commit something first.`);
    const url = await trees.remoteUrl(head);
    if (!url.ok) return url;
    const program = await findProgram(url.value ?? '', deps.env()['PATH'] ?? '');
    if (program === null) return noProgram(url.value ?? '', base, head);
    const pushed = await push(row);
    if (!pushed.ok) return pushed;
    const env = { ...deps.env(), GH_PROMPT_DISABLED: '1', NO_COLOR: '1' };
    const args = argumentsFor(program, { head, base, title, body });
    const cwd = row.state === 'parked' ? trees.repository.root : row.root;
    const { output, exitCode } = await runProgram(deps.spawner, { args, cwd, env, input: body });
    const address = output.match(/https?:\/\/\S+/g)?.at(-1);
    // If the pull request already exists, the user has what they asked for.
    if (address !== undefined && (exitCode === 0 || /already exists/i.test(output))) return ok({ url: address });
    return requestFailure(program, output);
  };

  const withRow = <T>(worktreeId: string, task: (row: WorktreeRow) => Promise<Result<T>>): Promise<Result<T>> => {
    const row = table.find(worktreeId);
    return row.ok ? task(row.value) : Promise.resolve(row);
  };
  return {
    push: (worktreeId: string) => withRow(worktreeId, push),
    pullRequest: (worktreeId: string, body: PullRequestBody) => withRow(worktreeId, (row) => open(row, body)),
  };
}

/** The command-line tool for the remote's host, or whichever of the two is installed. */
async function findProgram(url: string, path: string): Promise<Program | null> {
  const wanted: Program[] = url.includes('gitlab') ? ['glab', 'gh'] : ['gh', 'glab'];
  for (const program of wanted)
    for (const folder of path.split(delimiter)) {
      const isThere = await access(join(folder, program), constants.X_OK).then(
        () => true,
        () => false,
      );
      if (folder !== '' && isThere) return program;
    }
  return null;
}

type Request = { readonly head: string; readonly base: string; readonly title: string; readonly body: string };

function argumentsFor(program: Program, { head, base, title, body }: Request): readonly string[] {
  switch (program) {
    case 'gh':
      return ['gh', 'pr', 'create', '--head', head, '--base', base, '--title', title, '--body-file', '-'];
    case 'glab': {
      const branches = ['--source-branch', head, '--target-branch', base];
      return ['glab', 'mr', 'create', ...branches, '--title', title, '--description', body, '--yes'];
    }
  }
}

function requestFailure(program: Program, output: string): Result<never> {
  if (/auth(entication)? (login|required)|not logged in|unauthorized/i.test(output))
    return fail(
      'NOT_SUPPORTED',
      `${program} isn't signed in. Run \`${program} auth login\` in a terminal, then try again.`,
      {
        output,
      },
    );
  const said = output.trim().split('\n').slice(-4).join(' ');
  return fail('GIT_FAILED', `The branch is pushed, but ${program} opened no pull request. It said: ${said}`, {
    output,
  });
}

/** Without a tool, the host has a web page for it. */
function noProgram(remote: string, base: string, branch: string): Result<never> {
  const found = /github\.com[:/](?<name>[^/]+\/[^/]+?)(?:\.git)?$/.exec(remote);
  const name = found?.groups?.['name'];
  const url = name === undefined ? undefined : `https://github.com/${name}/compare/${base}...${branch}?expand=1`;
  const instead =
    url === undefined ? 'Push the branch and open it in your browser.' : `Push the branch, then open ${url}.`;
  return fail('NOT_SUPPORTED', `Neither gh nor glab was found. Install one of them. ${instead}`, url ? { url } : {});
}
