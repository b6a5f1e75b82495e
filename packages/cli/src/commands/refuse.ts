import { answerRequest, optionFor } from '../base/answer-request.ts';
import type { Run } from '../base/command.ts';

/** Refuses the session's request, with a reason if there is one. */
export const run: Run = (invocation) =>
  answerRequest(invocation, (request) => {
    const option = optionFor(request, 'reject');
    const feedback = invocation.flag('reason');
    if (!option) return 'The request can’t be refused. Answer it in the page.';
    return { optionId: option.optionId, ...(feedback !== undefined && { feedback }) };
  });
