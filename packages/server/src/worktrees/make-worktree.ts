import { lstat } from 'node:fs/promises';
import { fail, ok, type Result } from '@liminal/contracts';
import type { RepositoryWorktrees } from '../git/worktrees/repository-worktrees.ts';
import type { WorktreeRow } from '../store/worktree-rows.ts';
import { runCommand, type CommandEnd, type CommandRun } from './run-setup.ts';
import { mayRunCommands, type WorktreeDeps } from './worktree-deps.ts';
import type { WorktreeTable } from './worktree-table.ts';

const usualSetupMs = 30 * 60_000;
/** One message per percent is enough. */
const steps = 100;

export type Making = { readonly signal: AbortSignal; readonly startAnyway: AbortSignal };

type Running = Pick<CommandRun, 'signal' | 'onOutput'>;

/**
 * Creates what a row describes: branch and folder, files, copied files, setup. A failure before the setup leaves
 * nothing behind.
 */
export function createWorktreeMaker(deps: WorktreeDeps, table: WorktreeTable) {
  const make = async (
    row: WorktreeRow,
    trees: RepositoryWorktrees,
    { signal, startAnyway }: Making,
  ): Promise<Result<WorktreeRow>> => {
    const { worktreeId, root, branch, baseCommit } = row;
    await table.put(row);
    const undo = async (failed: Result<unknown>): Promise<Result<never>> => {
      await trees.remove(root);
      await trees.deleteBranch(branch, baseCommit);
      if (signal.aborted) return cancelled;
      return failed.ok ? cancelled : failed;
    };
    const target = { root, newBranch: branch, commit: baseCommit, reason: `liminal ${worktreeId}` };
    const registered = await trees.register(target);
    if (!registered.ok) return registered;
    const filled = await trees.fill(root, { signal, onProgress: progressOf(worktreeId) });
    if (!filled.ok || signal.aborted) return undo(filled);
    table.note(worktreeId, { progress: { step: 'copy' } });
    const copied = await trees.include(root, baseCommit, signal);
    if (!copied.ok || signal.aborted) return undo(copied);
    const isThere = await lstat(row.folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isThere) return undo(fail('GIT_FAILED', `The base "${row.base ?? ''}" doesn't have this project's folder.`));
    table.note(worktreeId, { progress: undefined });
    const made = await setUp(row, { signal, startAnyway });
    return signal.aborted ? undo(made) : made;
  };

  const progressOf = (worktreeId: string) => {
    let last = -1;
    return (done: number, total: number): void => {
      const percent = Math.floor((done * steps) / Math.max(1, total));
      if (percent === last) return;
      last = percent;
      table.note(worktreeId, { progress: { step: 'files', done, total } });
    };
  };

  const setUp = async (row: WorktreeRow, { signal, startAnyway }: Making): Promise<Result<WorktreeRow>> => {
    const { worktreeId } = row;
    const command = deps.settings.get(row.projectId).setupCommand.trim();
    if (command === '') return ok(await table.put({ ...row, state: 'ready', setup: null, error: null }));
    const notRun = { command, output: '', exitCode: null };
    await table.put({ ...row, state: 'setup', setup: notRun, error: null });
    // The user may have revoked the trust while git wrote the files. Nothing waits between this check and the start.
    const allowed = mayRunCommands(deps, row.projectId);
    if (!allowed.ok) {
      const error = `The setup command did not run. ${allowed.failure.message}`;
      await table.put({ ...row, state: 'failed', setup: notRun, error });
      return fail(allowed.failure.code, error, { worktreeId });
    }
    const setup = { command, exitCode: null, running: true };
    table.note(worktreeId, { setup: { ...setup, output: '' } });
    const { output, exitCode, stopped } = await run(row, command, {
      signal: AbortSignal.any([signal, startAnyway]),
      onOutput: (text) => table.note(worktreeId, { setup: { ...setup, output: text } }),
    });
    table.note(worktreeId, { setup: undefined, progress: undefined });
    const kept = { ...row, setup: { command, output, exitCode } };
    if (exitCode === 0 || startAnyway.aborted) return ok(await table.put({ ...kept, state: 'ready', error: null }));
    const error = setupError(stopped, exitCode);
    await table.put({ ...kept, state: 'failed', error });
    const code = stopped === 'trust' ? 'PROJECT_NOT_TRUSTED' : 'SESSION_CREATE_FAILED';
    return fail(code, error, { worktreeId, output });
  };

  /** The commands that run now, each with its project. */
  const running = new Map<AbortController, string>();
  /** Runs the user's command in the worktree, with variables that describe it. */
  const run = async (row: WorktreeRow, command: string, { signal, onOutput }: Running): Promise<CommandEnd> => {
    const project = deps.projects.get(row.projectId);
    const untrusted = new AbortController();
    running.set(untrusted, row.projectId);
    try {
      const end = await runCommand(deps.spawner, {
        command,
        cwd: row.folder,
        env: {
          ...deps.env(),
          LIMINAL_WORKTREE: row.folder,
          LIMINAL_SOURCE: project.ok ? project.value.dir : '',
          LIMINAL_BRANCH: row.branch,
        },
        signal: AbortSignal.any([signal, untrusted.signal]),
        timeoutMs: deps.setupMs ?? usualSetupMs,
        ...(onOutput && { onOutput }),
      });
      const isForTrust = end.stopped === 'cancel' && untrusted.signal.aborted && !signal.aborted;
      return isForTrust ? { ...end, stopped: 'trust' } : end;
    } finally {
      running.delete(untrusted);
    }
  };
  const stopUntrusted = (projectId: string): void => {
    if (mayRunCommands(deps, projectId).ok) return;
    for (const [untrusted, of] of running) if (of === projectId) untrusted.abort();
  };

  return { make, setUp, run, stopUntrusted };
}

const cancelled = fail('GIT_FAILED', 'The worktree was cancelled. Nothing was left behind.');
const setupError = (stopped: CommandEnd['stopped'], exitCode: number | null): string => {
  if (stopped === 'trust') return 'The setup command was stopped, because this project is no longer trusted.';
  const why = stopped === 'time' ? 'took too long and was stopped' : `failed (${endOf(exitCode)})`;
  return `The setup command ${why}. Read its output, then fix it or start anyway.`;
};
const endOf = (exitCode: number | null): string => (exitCode === null ? 'ended by a signal' : `exit code ${exitCode}`);
