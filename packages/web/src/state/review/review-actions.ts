import type { CommitBody, DiscardBody, HunkChoice, StageBody } from '@liminal/contracts';
import type { ApiFailure, ApiResult } from '@liminal/client/call-routes';
import type { Api } from '../../connection/api.ts';
import { plural } from '../../ui/format.ts';
import type { Cell } from '../base/cell.ts';
import type { ReviewLoader } from './review-loader.ts';
import type { Outcome, ReviewState } from './review-state.ts';

export type ReviewActionsDeps = {
  readonly api: Pick<Api['session'], 'stage' | 'unstage' | 'discard' | 'undo' | 'commit'>;
  readonly sessionId: string;
  readonly state: Cell<ReviewState>;
  readonly loader: Pick<ReviewLoader, 'refresh'>;
};

/** The selection: whole files, or hunks of one file as they are shown. */
export type Chosen = { readonly paths: readonly string[] } | { readonly hunks: readonly HunkChoice[] };

const bodyOf = (chosen: Chosen): StageBody =>
  'paths' in chosen ? { paths: [...chosen.paths] } : { hunks: [...chosen.hunks] };
const wordsOf = (chosen: Chosen): string =>
  'hunks' in chosen
    ? 'a hunk'
    : chosen.paths.length === 1
      ? (chosen.paths[0] ?? '')
      : plural(chosen.paths.length, 'file');

/** Actions on changes. Reports each result and reloads the list. */
export function createReviewActions({ api, sessionId, state, loader }: ReviewActionsDeps) {
  const say = (outcome: Outcome | null): void => state.update((held) => ({ ...held, outcome }));
  const failed = (what: string, { code, message, details }: ApiFailure): void => {
    const undoId = details?.['undoId'];
    const canUndo = typeof undoId === 'string';
    const output = details?.['output'];
    const shown =
      code === 'STALE' && !canUndo ? `${what} The files changed since they were shown; this is the newest state.` : '';
    say({
      text: shown === '' ? `${what} ${message}` : shown,
      isFailure: true,
      ...(canUndo && { undoId }),
      ...(typeof output === 'string' && { output }),
    });
  };
  const during = async <T>(task: () => Promise<ApiResult<T>>): Promise<ApiResult<T>> => {
    state.update((held) => ({ ...held, isBusy: true }));
    const reply = await task();
    state.update((held) => ({ ...held, isBusy: false }));
    void loader.refresh();
    return reply;
  };
  const run = async <T>(
    task: () => Promise<ApiResult<T>>,
    done: (value: T) => Outcome,
    what: string,
  ): Promise<void> => {
    const reply = await during(task);
    if (reply.ok) say(done(reply.value));
    else failed(what, reply.failure);
  };

  return {
    say,
    stage: (chosen: Chosen) =>
      run(
        () => api.stage(sessionId, bodyOf(chosen)),
        () => ({ text: `Staged ${wordsOf(chosen)}.`, isFailure: false }),
        `Couldn't stage ${wordsOf(chosen)}.`,
      ),
    unstage: (chosen: Chosen) =>
      run(
        () => api.unstage(sessionId, bodyOf(chosen)),
        () => ({ text: `Unstaged ${wordsOf(chosen)}.`, isFailure: false }),
        `Couldn't unstage ${wordsOf(chosen)}.`,
      ),
    discard: (chosen: Chosen, scope: DiscardBody['scope']) =>
      run(
        () => api.discard(sessionId, { ...bodyOf(chosen), scope }),
        ({ undoId }) => ({ text: `Discarded changes in ${wordsOf(chosen)}.`, isFailure: false, undoId }),
        `Couldn't discard ${wordsOf(chosen)}.`,
      ),
    undo: (undoId: string) =>
      run(
        () => api.undo(sessionId, { undoId }),
        ({ files }) => ({ text: `Restored ${plural(files.length, 'file')}.`, isFailure: false }),
        "Couldn't restore the changes.",
      ),
    /** Returns what went wrong, for the dialog to show. If it is closed by then, `reportCommitFailure` shows it. */
    async commit(body: CommitBody): Promise<ApiFailure | null> {
      const reply = await during(() => api.commit(sessionId, body));
      if (!reply.ok) return reply.failure;
      const { commit, output } = reply.value;
      say({ text: `Committed ${commit.slice(0, 10)}.`, isFailure: false, output });
      return null;
    },
    reportCommitFailure: (failure: ApiFailure) => failed("Couldn't commit.", failure),
  };
}
export type ReviewActions = ReturnType<typeof createReviewActions>;
