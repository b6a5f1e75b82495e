import { answerRequest, optionFor } from '../base/answer-request.ts';
import type { Run } from '../base/command.ts';

/** Allows the session's request: once, unless another of the agent's options is named. */
export const run: Run = (invocation) =>
  answerRequest(invocation, (request) => {
    const wanted = invocation.flag('option');
    if (wanted === undefined && (request.questions?.length || request.schema)) {
      return 'The agent asks a question. Answer it in the page, or with `liminal attach`.';
    }
    const option =
      wanted === undefined
        ? optionFor(request, 'allow')
        : request.options.find(({ optionId, name }) => optionId === wanted || name === wanted);
    const offered = request.options.map(({ optionId }) => optionId).join(', ');
    return option ?? `"${wanted}" is not one of its options: ${offered}.`;
  });
