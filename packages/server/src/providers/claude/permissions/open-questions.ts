import type { PermissionAnswer } from '@liminal/contracts';
import type { PermissionSignal } from '../../provider.ts';
import { ProviderError } from '../../provider-error.ts';
import type { AskedQuestion } from './permission-question.ts';

/** What Claude Code waits for a person to answer. */
export type OpenQuestions = {
  /** Resolves with what to tell Claude Code; the signal withdraws the question. */
  ask<Reply>(question: AskedQuestion<Reply>, signal: AbortSignal): Promise<Reply>;
  answer(answer: PermissionAnswer): void;
  /** The turn is over: what it asked ends with it, what subagents ask beside it does not. */
  endTurn(reason: string): void;
  endAll(reason: string): void;
};

type OpenQuestion = { readonly question: AskedQuestion<unknown>; settle(reply: unknown): void };

export function createOpenQuestions(tell: (signal: PermissionSignal) => void): OpenQuestions {
  const open = new Map<string, OpenQuestion>();

  function withdraw(requestId: string, reason: string): void {
    const waiting = open.get(requestId);
    if (!waiting) return;
    open.delete(requestId);
    tell({ state: 'ended', requestId, reason });
    waiting.settle(waiting.question.withdrawn);
  }

  return {
    ask<Reply>(question: AskedQuestion<Reply>, signal: AbortSignal): Promise<Reply> {
      const { requestId } = question.request;
      if (signal.aborted) return Promise.resolve(question.withdrawn);
      return new Promise<Reply>((resolve) => {
        open.set(requestId, { question, settle: (reply) => resolve(reply as Reply) });
        signal.addEventListener('abort', () => withdraw(requestId, 'Claude Code withdrew the question.'), {
          once: true,
        });
        tell({ state: 'open', request: question.request });
      });
    },
    answer(answer) {
      const waiting = open.get(answer.requestId);
      if (!waiting) throw new ProviderError('PERMISSION_NOT_FOUND', 'Claude Code no longer waits for this answer.');
      if (!waiting.question.request.options.some(({ optionId }) => optionId === answer.optionId)) {
        throw new ProviderError('INVALID_REQUEST', `The option "${answer.optionId}" was not offered.`);
      }
      open.delete(answer.requestId);
      waiting.settle(waiting.question.reply(answer));
    },
    endTurn(reason) {
      for (const [requestId, { question }] of open) if (!question.request.outlivesTurn) withdraw(requestId, reason);
    },
    endAll(reason) {
      for (const requestId of open.keys()) withdraw(requestId, reason);
    },
  };
}
