import type { PermissionAnswer, PermissionRequest } from '@liminal/contracts';
import type { PermissionSignal } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';

/** An agent's question to a user, as the page shows it, and the reply to the agent for each answer. */
export type AgentQuestion<Reply> = {
  readonly request: PermissionRequest;
  reply(answer: PermissionAnswer): Reply;
  /** The reply if nobody will answer: the turn ended or was cancelled. */
  readonly withdrawn: Reply;
};

export type QuestionResult<Reply> = {
  /** The user chose an option that allows something. */
  readonly accepted: boolean;
  readonly reply: Reply;
};

/** The questions of one session that wait for a user. */
export type OpenQuestions = {
  /** Resolves with the reply for the agent; the signal withdraws the question. */
  ask<Reply>(question: AgentQuestion<Reply>, signal: AbortSignal): Promise<QuestionResult<Reply>>;
  answer(answer: PermissionAnswer): void;
  /** Withdraws the turn's questions, but not those of background subagents. */
  endTurn(reason: string): void;
  endAll(reason: string): void;
};

type OpenQuestion = {
  readonly request: PermissionRequest;
  answer(answer: PermissionAnswer, accepted: boolean): void;
  withdraw(): void;
};

export function createOpenQuestions(agentName: string, publish: (signal: PermissionSignal) => void): OpenQuestions {
  const open = new Map<string, OpenQuestion>();

  function withdraw(requestId: string, reason: string): void {
    const question = open.get(requestId);
    if (!question) return;
    open.delete(requestId);
    publish({ state: 'ended', requestId, reason });
    question.withdraw();
  }

  return {
    ask<Reply>({ request, reply, withdrawn }: AgentQuestion<Reply>, signal: AbortSignal) {
      const { requestId } = request;
      if (signal.aborted) return Promise.resolve({ accepted: false, reply: withdrawn });
      return new Promise<QuestionResult<Reply>>((resolve) => {
        open.set(requestId, {
          request,
          answer: (answer, accepted) => resolve({ accepted, reply: reply(answer) }),
          withdraw: () => resolve({ accepted: false, reply: withdrawn }),
        });
        const onAbort = () => withdraw(requestId, `${agentName} withdrew the question.`);
        signal.addEventListener('abort', onAbort, { once: true });
        publish({ state: 'open', request });
      });
    },
    answer(answer) {
      const question = open.get(answer.requestId);
      if (!question)
        throw new ProviderError('PERMISSION_NOT_FOUND', `${agentName} is no longer waiting for this answer.`);
      const option = question.request.options.find(({ optionId }) => optionId === answer.optionId);
      if (!option)
        throw new ProviderError('INVALID_REQUEST', `${agentName} didn't offer the option "${answer.optionId}".`);
      open.delete(answer.requestId);
      question.answer(answer, option.kind.startsWith('allow'));
    },
    endTurn(reason) {
      for (const [requestId, { request }] of open) if (!request.outlivesTurn) withdraw(requestId, reason);
    },
    endAll(reason) {
      for (const requestId of open.keys()) withdraw(requestId, reason);
    },
  };
}
