import { fail, ok, type CheckResult, type Result } from '@liminal/contracts';
import type { CandidateRow, CompareRow } from '../store/compare-rows.ts';
import type { CompareDeps } from './compare-deps.ts';
import type { CompareTable } from './compare-table.ts';

const keptOutput = 16 * 1024;
const whyStopped = {
  time: '\nThe command took too long and was stopped.',
  cancel: '\nThe command was stopped.',
  trust: '\nThe command was stopped, because this project is no longer trusted.',
};

/** Runs the project's check command, which the user entered, in the candidates' folders, one run at a time in each. */
export function createChecks(deps: Pick<CompareDeps, 'worktrees' | 'settings' | 'onError'>, table: CompareTable) {
  const running = new Map<string, { readonly ending: AbortController; readonly done: Promise<void> }>();

  const check = async (
    { compareId }: CompareRow,
    candidate: CandidateRow,
    command: string,
    signal: AbortSignal,
  ): Promise<void> => {
    const { candidateId, worktreeId } = candidate;
    if (worktreeId === null) return;
    const put = (result: CheckResult): Promise<void> =>
      table.changeCandidate(compareId, candidateId, { check: result });
    await put({ command, state: 'running', exitCode: null, output: '' });
    const ran = await deps.worktrees.run(worktreeId, command, signal);
    if (!ran.ok) return put({ command, state: 'failed', exitCode: null, output: ran.failure.message });
    const { exitCode, output, stopped } = ran.value;
    const why = stopped === null ? '' : whyStopped[stopped];
    const state = exitCode === 0 ? 'passed' : 'failed';
    return put({ command, state, exitCode, output: `${output}${why}`.slice(-keptOutput) });
  };

  const stop = async (candidateId: string): Promise<void> => {
    const run = running.get(candidateId);
    run?.ending.abort();
    await run?.done;
  };

  return {
    /** Starts the check and returns at once. Without a command there is nothing to run. */
    begin(row: CompareRow, candidate: CandidateRow): Result<null> {
      const { candidateId } = candidate;
      const command = deps.settings.get(row.projectId).checkCommand.trim();
      if (command === '')
        return fail('NOT_SUPPORTED', 'This project has no check command. Set one in the settings of the project.');
      if (candidate.state !== 'started' || candidate.parked)
        return fail('NOT_SUPPORTED', "The check can't run: this candidate has no folder.");
      if (running.has(candidateId)) return ok(null);
      const ending = new AbortController();
      const done = check(row, candidate, command, ending.signal)
        .catch(deps.onError)
        .finally(() => running.delete(candidateId));
      running.set(candidateId, { ending, done });
      return ok(null);
    },
    /** Resolves when no check of this candidate runs any more. */
    stop,
    async close(): Promise<void> {
      await Promise.all([...running.keys()].map(stop));
    },
  };
}
