import type { AskedQuestion } from '@liminal/contracts';
import { asList, asOptionalRecord, asRecord, asText, type Loose } from '../../kit/read-json.ts';
import { outputText } from './tool-shape.ts';

/** A call's result for a user, without what Claude Code adds for its model. */
export type ShownResult = { readonly output: string; readonly questions?: AskedQuestion[] };

const inBackground = 'Started in the background.';

/** `content` is what the model received, `reported` what Claude Code stores beside it. */
export function shownResult(
  toolName: string,
  content: unknown,
  reported: unknown,
  asked: readonly string[],
): ShownResult {
  const given = withoutErrorTags(outputText(content));
  const fields = asRecord(reported);
  switch (toolName) {
    case 'AskUserQuestion':
      return answeredQuestions(asked, given, fields);
    case 'Task':
    case 'Agent':
      return { output: agentOutput(given, fields) };
    case 'Bash':
    case 'PowerShell':
      if (asText(fields['backgroundTaskId']) === undefined) return { output: given };
      return { output: [asText(fields['stdout']), inBackground].filter(Boolean).join('\n') };
    default:
      return { output: given };
  }
}

const withoutErrorTags = (text: string): string =>
  /^<tool_use_error>([\s\S]*)<\/tool_use_error>$/.exec(text)?.[1] ?? text;

/** A subagent's own answer. After it Claude Code writes how its model can reach the subagent again, and its usage. */
function agentOutput(given: string, reported: Loose): string {
  if (reported['isAsync'] === true || given.startsWith('Async agent launched')) return inBackground;
  const answer = asList(reported['content']).flatMap((part) => asText(asRecord(part)['text']) ?? []);
  if (reported['status'] === 'completed' && answer.length > 0) return answer.join('\n');
  return given.replace(/\n*^agentId: \S+ \([^\n]*(?:\n<usage>[^<]*<\/usage>)?\s*$/m, '');
}

/** The questions, each with the user's answer. */
function answeredQuestions(asked: readonly string[], given: string, reported: Loose): ShownResult {
  const answers = asOptionalRecord(reported['answers']);
  const questions = asked.map((question): AskedQuestion => {
    const answer = answers ? asText(answers[question]) : answerIn(given, question);
    return answer === undefined ? { question } : { question, answer };
  });
  const answered = questions.filter(({ answer }) => answer !== undefined);
  if (answered.length === 0) return { output: given };
  return { output: answered.map(({ question, answer }) => `${question}\n${answer}`).join('\n\n'), questions };
}

/** Records may have only the sentence for the model: `"Which colour?"="Blue", …`. */
function answerIn(given: string, question: string): string | undefined {
  const mark = `"${question}"="`;
  const at = given.indexOf(mark);
  if (at < 0) return undefined;
  const rest = given.slice(at + mark.length);
  const end = rest.search(/"(?:, "|\.|$)/);
  return end < 0 ? undefined : rest.slice(0, end);
}
