import type { PermissionOption, PermissionRequest, Question } from '@liminal/contracts';

export const isRefusal = (option: PermissionOption): boolean => option.kind.startsWith('reject');

/** The option that refuses only this request: the safe choice for Escape. */
export const safeRefusal = (request: PermissionRequest): PermissionOption | undefined =>
  request.options.find((option) => option.kind === 'reject_once') ?? request.options.find(isRefusal);

/** The choices and text for each question, before they are sent. */
export type Choices = Readonly<Record<string, { readonly labels: readonly string[]; readonly text: string }>>;

/** A click on a label: replaces a single choice, toggles one of several. */
export function choose(choices: Choices, question: Question, label: string): Choices {
  const held = choices[question.id] ?? { labels: [], text: '' };
  const has = held.labels.includes(label);
  const labels = question.multiSelect
    ? has
      ? held.labels.filter((other) => other !== label)
      : [...held.labels, label]
    : [label];
  return { ...choices, [question.id]: { labels, text: question.multiSelect ? held.text : '' } };
}

/** Free text; for a single choice it replaces the chosen label. */
export function write(choices: Choices, question: Question, text: string): Choices {
  const held = choices[question.id] ?? { labels: [], text: '' };
  return { ...choices, [question.id]: { labels: question.multiSelect || text === '' ? held.labels : [], text } };
}

/** The answers to send; `null` while a question has none. */
export function answersOf(questions: readonly Question[], choices: Choices): Record<string, string[]> | null {
  const answers: Record<string, string[]> = {};
  for (const question of questions) {
    const held = choices[question.id];
    const chosen = [...(held?.labels ?? []), ...(held?.text.trim() ? [held.text.trim()] : [])];
    if (chosen.length === 0) return null;
    answers[question.id] = chosen;
  }
  return answers;
}
