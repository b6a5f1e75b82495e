import type { PermissionAnswer, PermissionRequest, Question } from '@liminal/contracts';
import { showHidden } from '@liminal/domain/text/visible-text';
import { type Colours, visible } from '../base/terminal.ts';

/** One request in a terminal: what to show, and how to read the typed answer. */
export type Asked = {
  readonly requestId: string;
  readonly text: string;
  /** The answer, the next question, or an explanation of invalid input. */
  read(line: string): { readonly answer: PermissionAnswer } | { readonly next: Asked } | { readonly again: string };
};

/** Asks for the answer to a request. Null for one that only the page can show completely. */
export function askFor(request: PermissionRequest, colours: Colours): Asked | null {
  if (request.schema !== undefined) return null;
  const { questions = [] } = request;
  return questions.length > 0 ? askQuestion(request, questions, {}, colours) : askOptions(request, colours);
}

const numbered = (names: readonly string[]): string[] => names.map((name, place) => `  ${place + 1}  ${visible(name)}`);
const choiceIn = (line: string, count: number): number | null => {
  const number = Number(line.trim());
  return Number.isInteger(number) && number >= 1 && number <= count ? number - 1 : null;
};
const again = (count: number): { again: string } => ({ again: `Type a number from 1 to ${count}.` });

function askOptions(request: PermissionRequest, colours: Colours): Asked {
  const { requestId, options, title, description, toolArguments = {} } = request;
  const command = toolArguments['command'];
  return {
    requestId,
    text: [
      `${colours.yellow('Needs approval:')} ${colours.bold(showHidden(title))}`,
      // Show everything that would be allowed, with nothing hidden.
      ...(typeof command === 'string' && command !== title ? [showHidden(command)] : []),
      ...(description === undefined ? [] : [visible(description)]),
      ...numbered(options.map(({ name }) => name)),
      'Number and Enter:',
    ].join('\n'),
    read(line) {
      const place = choiceIn(line, options.length);
      const option = place === null ? undefined : options[place];
      return option ? { answer: { requestId, optionId: option.optionId } } : again(options.length);
    },
  };
}

function askQuestion(
  request: PermissionRequest,
  questions: readonly Question[],
  given: Readonly<Record<string, string[]>>,
  colours: Colours,
): Asked {
  const { requestId } = request;
  const [question, ...rest] = questions;
  if (!question) return askOptions(request, colours);
  const { options, freeText, multiSelect } = question;
  const how = `Number${multiSelect ? 's, separated by commas' : ''}${freeText ? ', or your own answer' : ''}:`;
  return {
    requestId,
    text: [
      `${colours.yellow('Question:')} ${colours.bold(visible(question.question))}`,
      ...numbered(options.map(({ label }) => label)),
      how,
    ].join('\n'),
    read(line) {
      const places = (multiSelect ? line.split(',') : [line]).map((part) => choiceIn(part, options.length));
      const labels = places.flatMap((place) => (place === null ? [] : [options[place]?.label ?? '']));
      const chosen = labels.length === places.length ? labels : freeText && line.trim() !== '' ? [line.trim()] : null;
      if (chosen === null) return again(options.length);
      const answers = { ...given, [question.id]: chosen };
      if (rest.length > 0) return { next: askQuestion(request, rest, answers, colours) };
      const accept = request.options.find(({ kind }) => kind.startsWith('allow'));
      return { answer: { requestId, optionId: accept?.optionId ?? '', answers } };
    },
  };
}
