import type { PermissionAnswer, PermissionOption, PermissionRequest } from '@liminal/contracts';
import type { QuestionPlace } from '../../acp/permissions/permission-question.ts';
import { asNonEmptyString, asRecords, type Loose, present } from '../../kit/read-json.ts';
import type { CodexQuestion } from './approval-question.ts';

const send: PermissionOption = { optionId: 'accept', name: 'Send', kind: 'allow_once' };
const refuse: PermissionOption = { optionId: 'decline', name: 'Decline', kind: 'reject_once' };
/** How Codex distinguishes the user's own answer from an offered one. */
const ownAnswer = 'user_note: ';

type Questions = NonNullable<PermissionRequest['questions']>;

/** Reads an `item/tool/requestUserInput`: questions with or without options. */
export function userInputQuestion(params: Loose, place: QuestionPlace): CodexQuestion | null {
  const questions = asRecords(params['questions']).flatMap(readQuestion);
  if (questions.length === 0) return null;
  const request: PermissionRequest = {
    ...place,
    kind: 'question',
    title: 'Codex needs your input to continue.',
    options: [send, refuse],
    questions,
    ...present({ callId: asNonEmptyString(params['itemId']) }),
  };
  const withdrawn = { answers: {} };
  return {
    request,
    withdrawn,
    reply: (answer) => (answer.optionId === send.optionId ? { answers: answersOf(questions, answer) } : withdrawn),
  };
}

function readQuestion(raw: Loose): Questions {
  const id = asNonEmptyString(raw['id']);
  if (id === undefined) return [];
  const options = asRecords(raw['options']).flatMap((option) => {
    const label = asNonEmptyString(option['label']);
    return label === undefined ? [] : [{ label, ...present({ description: asNonEmptyString(option['description']) }) }];
  });
  return [
    {
      id,
      question: asNonEmptyString(raw['question']) ?? id,
      multiSelect: false,
      options,
      freeText: options.length === 0 || raw['isOther'] === true,
      ...present({ header: asNonEmptyString(raw['header']) }),
    },
  ];
}

function answersOf(questions: Questions, { answers = {} }: PermissionAnswer): Loose {
  const given = questions.map(({ id, options }) => {
    const labels = [answers[id]].flat().filter((label) => typeof label === 'string');
    const isOffered = (label: string): boolean =>
      options.length === 0 || options.some((option) => option.label === label);
    return [id, { answers: labels.map((label) => (isOffered(label) ? label : `${ownAnswer}${label}`)) }];
  });
  return Object.fromEntries(given) as Loose;
}

/** Whether to carry out a plan. Codex doesn't ask this: its client does, and leaves plan mode. */
export function planQuestion(plan: string, place: QuestionPlace): CodexQuestion {
  const request: PermissionRequest = {
    ...place,
    kind: 'plan',
    title: 'Implement this plan?',
    options: [
      { optionId: 'implement_plan', name: 'Yes, implement this plan', kind: 'allow_once' },
      { optionId: 'revise_plan', name: 'No, and tell Codex what to do differently', kind: 'reject_once' },
    ],
    toolArguments: { plan },
  };
  return { request, withdrawn: undefined, reply: () => undefined };
}
