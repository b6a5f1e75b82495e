import { fail, ok, type CommitBody, type CommitReply, type Result } from '@liminal/contracts';
import { locked, readUnmerged, writeIndex } from '../index-entries.ts';
import { hasEscapes } from '../path-text.ts';
import { emptyTree } from '../repository.ts';
import { expectGit, gitMessage } from '../run-git.ts';
import { runWithHooks } from '../run-with-hooks.ts';
import { stage, type StageDeps } from './stage-changes.ts';

/** Commits as the user would, with their hooks, name and signature. */
export async function commit(deps: StageDeps, body: CommitBody): Promise<Result<CommitReply>> {
  const { runner, repository, state } = deps;
  const { root, prefix } = repository;
  const message = body.message.trim();
  if (message === '' && !body.amend) return fail('INVALID_REQUEST', 'Write a commit message first.');
  if (body.amend && state.head === null) return fail('NOTHING_TO_COMMIT', 'There is no commit to amend yet.');
  const paths = body.paths ?? [];
  if (paths.some(hasEscapes))
    return fail('NOT_SUPPORTED', 'A file whose name is not UTF-8 cannot be committed by name.');
  const unmerged = await readUnmerged(runner, repository);
  if (!unmerged.ok) return unmerged;
  const files = unmerged.value;
  if (files.length > 0 && !body.all) {
    return fail('CONFLICT', `Resolve the conflicts first, then stage: ${files.slice(0, 5).join(', ')}.`, { files });
  }
  if (body.all) {
    const args = ['add', '--all', '--', prefix === '' ? '.' : prefix];
    const added = await writeIndex(runner, { cwd: root, args, timeoutMs: 300_000 });
    if (!added.ok) return added;
  } else if (paths.length > 0) {
    const staged = await stage(deps, { paths, hunks: [] });
    if (!staged.ok) return staged;
  }
  if (!body.amend && state.operation === null) {
    const base = state.head ?? emptyTree(repository.hash);
    const only = paths.length > 0 && !body.all ? ['--', ...paths.map((path) => prefix + path)] : [];
    const differs = await runner({ cwd: root, args: ['diff-index', '--cached', '--quiet', base, ...only] });
    if (!differs.ok) return differs;
    if (differs.value.code === 0) return fail('NOTHING_TO_COMMIT', 'Nothing is staged. Stage what you want to commit.');
  }
  return runCommit(deps, body, message, paths);
}

async function runCommit(
  { runner, repository }: StageDeps,
  { all, amend, skipHooks }: CommitBody,
  message: string,
  paths: readonly string[],
): Promise<Result<CommitReply>> {
  const { root, prefix } = repository;
  const ran = await runWithHooks(runner, repository.gitDir, {
    cwd: root,
    mostBytes: 16 * 1024 * 1024,
    env: { GIT_LITERAL_PATHSPECS: '1' },
    args: [
      'commit',
      ...(message === '' ? ['--no-edit'] : ['--file=-']),
      ...(amend ? ['--amend'] : []),
      ...(skipHooks ? ['--no-verify'] : []),
      ...(paths.length > 0 && !all ? ['--only', '--', ...paths.map((path) => prefix + path)] : []),
    ],
    ...(message !== '' && { input: `${message}\n` }),
  });
  if (!ran.ok) return ran;
  const { code, hook, output, stderr } = ran.value;
  if (hook !== null)
    return fail('HOOK_FAILED', `The hook ${hook} rejected the commit. Nothing was committed.`, { hook, output });
  if (code !== 0 && /index\.lock/.test(stderr)) return fail('GIT_BUSY', locked);
  if (code !== 0) return fail('GIT_FAILED', gitMessage(stderr) || 'Git rejected the commit.', { output });
  const head = await expectGit(runner, { cwd: root, args: ['rev-parse', 'HEAD'] });
  return head.ok ? ok({ commit: head.value.stdout.toString().trim(), output }) : head;
}
