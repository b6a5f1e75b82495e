import type { PermissionOption, PermissionRequest, Question } from '@liminal/contracts';

export const isRefusal = (option: PermissionOption): boolean => option.kind.startsWith('reject');

/** The refusal that lasts no longer than this once: the safe thing, for Escape. */
export const safeRefusal = (request: PermissionRequest): PermissionOption | undefined =>
  request.options.find((option) => option.kind === 'reject_once') ?? request.options.find(isRefusal);

/** What was chosen and written for each question, as the page holds it while the user thinks. */
export type Choices = Readonly<Record<string, { readonly labels: readonly string[]; readonly text: string }>>;

/** A click on a label: one of many replaces, several of many add and take away. */
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

/** Own words; where only one answer counts, they replace what was chosen. */
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
