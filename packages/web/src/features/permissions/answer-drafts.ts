import { createCell, type Cell } from '../../state/base/cell.ts';
import type { SessionStore } from '../../state/sessions/session-store.ts';
import type { Choices } from './answer.ts';
import type { FormValues } from './form-fields.ts';

/** What the user has entered on a card that isn't answered yet. */
export type AnswerDraft = {
  readonly choices: Choices;
  readonly values: FormValues;
  readonly feedback: string;
  /** The refusal whose reason is being written. */
  readonly refusingId: string | null;
};

type AnswerDrafts = Cell<ReadonlyMap<string, AnswerDraft>> & {
  readonly change: (requestId: string, part: Partial<AnswerDraft>) => void;
  /** Drops those of requests that are no longer open. */
  readonly keepOnly: (requestIds: readonly string[]) => void;
};

export const emptyAnswer: AnswerDraft = { choices: {}, values: {}, feedback: '', refusingId: null };

const stores = new WeakMap<SessionStore, AnswerDrafts>();

/** The unsent answers to a session's requests, by request. They stay when its tab isn't shown. */
export function answerDraftsOf(session: SessionStore): AnswerDrafts {
  const drafts = stores.get(session) ?? createAnswerDrafts();
  stores.set(session, drafts);
  return drafts;
}

function createAnswerDrafts(): AnswerDrafts {
  const cell = createCell<ReadonlyMap<string, AnswerDraft>>(new Map());
  return {
    ...cell,
    change: (requestId, part) =>
      cell.update((held) => new Map([...held, [requestId, { ...(held.get(requestId) ?? emptyAnswer), ...part }]])),
    keepOnly: (requestIds) =>
      cell.update((held) => {
        const kept = [...held].filter(([requestId]) => requestIds.includes(requestId));
        return kept.length === held.size ? held : new Map(kept);
      }),
  };
}
