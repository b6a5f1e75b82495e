import type { PermissionAnswer } from '@liminal/contracts';
import type { PermissionSignal } from '../../provider.ts';
import { ProviderError } from '../../provider-error.ts';
import type { Question } from './permission-question.ts';

export type QuestionEnd = { readonly accepted: boolean; readonly reply: unknown };

/** What the agent waits for a person to answer. */
export type PendingQuestions = {
  /** Resolves with what to tell the agent; the signal withdraws the question. */
  ask(question: Question, signal: AbortSignal): Promise<QuestionEnd>;
  answer(answer: PermissionAnswer): void;
  endAll(reason: string): void;
};

export function createPendingQuestions(tell: (signal: PermissionSignal) => void): PendingQuestions {
  const pending = new Map<string, { readonly question: Question; end(how: QuestionEnd): void }>();

  function withdraw(requestId: string, reason: string): void {
    const open = pending.get(requestId);
    if (!open) return;
    pending.delete(requestId);
    open.end({ accepted: false, reply: open.question.withdrawn });
    tell({ state: 'ended', requestId, reason });
  }

  return {
    ask(question, signal) {
      const { requestId } = question.request;
      if (signal.aborted) return Promise.resolve({ accepted: false, reply: question.withdrawn });
      return new Promise((resolve) => {
        pending.set(requestId, { question, end: resolve });
        signal.addEventListener('abort', () => withdraw(requestId, 'The agent withdrew the question.'), { once: true });
        tell({ state: 'open', request: question.request });
      });
    },
    answer(answer) {
      const open = pending.get(answer.requestId);
      if (!open) throw new ProviderError('PERMISSION_NOT_FOUND', 'The agent no longer waits for this answer.');
      const option = open.question.request.options.find(({ optionId }) => optionId === answer.optionId);
      if (!option)
        throw new ProviderError('INVALID_REQUEST', `The agent did not offer the option "${answer.optionId}".`);
      pending.delete(answer.requestId);
      open.end({ accepted: option.kind.startsWith('allow'), reply: open.question.reply(answer) });
    },
    endAll(reason) {
      for (const requestId of pending.keys()) withdraw(requestId, reason);
    },
  };
}
