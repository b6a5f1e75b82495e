import { isoTime } from '@liminal/domain/time/iso-time';
import type { ProcessListener } from '../process/claude-process.ts';
import type { OpenQuestions } from '../../kit/open-questions.ts';
import { type AskedQuestion, type QuestionPlace, askedForm, askedQuestion } from './permission-question.ts';
import type { ClaudeFact, ClaudeTranslator } from '../translate/translate.ts';

export type AskUserDeps = {
  readonly translator: ClaudeTranslator;
  readonly questions: OpenQuestions;
  readonly note: (fact: ClaudeFact) => void;
  readonly now: () => number;
  readonly isTrusted: () => boolean;
};

/** Turns Claude Code's questions into requests to the user, and marks the call as waiting. */
export function createAskUser(deps: AskUserDeps): Pick<ProcessListener, 'permission' | 'form'> {
  const { translator, questions, note } = deps;

  function placeOf(callId: string | undefined): QuestionPlace {
    const turnId = callId === undefined ? undefined : translator.turnOfCall(callId);
    return {
      turnId: turnId ?? translator.currentTurnId() ?? 'session',
      openedAt: isoTime(deps.now()),
      trusted: deps.isTrusted(),
      callArguments: callId === undefined ? {} : translator.argumentsOf(callId),
    };
  }

  async function ask<Reply>(question: AskedQuestion<Reply>, signal: AbortSignal): Promise<Reply> {
    const { callId } = question;
    if (callId !== undefined) note({ kind: 'permission-opened', callId });
    const { reply } = await questions.ask(question, signal);
    if (callId !== undefined) note({ kind: 'permission-closed', callId });
    return reply;
  }

  return {
    permission: (asked) => ask(askedQuestion(asked, placeOf(asked.callId)), asked.signal),
    form: (asked) => ask(askedForm(asked, placeOf(undefined)), asked.signal),
  };
}
