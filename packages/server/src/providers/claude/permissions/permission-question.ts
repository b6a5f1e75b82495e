import type { PermissionAnswer, PermissionOption, Question } from '@liminal/contracts';
import type { FormQuestion, FormReply, PermissionQuestion, PermissionReply } from '../process/claude-sdk.ts';
import type { AgentQuestion } from '../../kit/open-questions.ts';
import { asList, asOptionalRecord, asRecord, asText, asTexts, type Loose } from '../../kit/read-json.ts';
import { lastingPermissions } from './permission-options.ts';
import { readableName, shapeOf } from '../translate/tool-shape.ts';

/** Something Claude Code asks a user, and the call it is about. */
export type AskedQuestion<Reply> = AgentQuestion<Reply> & { readonly callId: string | undefined };

export type QuestionPlace = {
  readonly turnId: string;
  readonly openedAt: string;
  readonly trusted: boolean;
  /** The call's arguments: a plan request doesn't include them. */
  readonly callArguments: Loose;
};

const withdrawn: PermissionReply = { behavior: 'deny', message: 'Not answered: the turn ended.' };
const reject: PermissionOption = { optionId: 'reject', name: 'Reject', kind: 'reject_once' };

export function askedQuestion(asked: PermissionQuestion, place: QuestionPlace): AskedQuestion<PermissionReply> {
  if (asked.toolName === 'AskUserQuestion') return questionWithOptions(asked, place);
  if (asked.toolName === 'ExitPlanMode') return planApproval(asked, place);
  const { toolName, blockedPath } = asked;
  const lasting = asked.onceOnly
    ? []
    : lastingPermissions(asked.suggestions, { toolName, blockedPath, trusted: place.trusted });
  const shape = shapeOf(asked.toolName, asked.input);
  const description = [
    asked.description,
    asked.reason,
    asked.blockedPath && `Outside the allowed paths: ${asked.blockedPath}`,
  ]
    .filter(Boolean)
    .join('\n');
  return {
    callId: asked.callId,
    withdrawn,
    request: {
      ...baseOf(asked, place),
      kind: 'tool',
      title: asked.title ?? shape.title,
      ...(description && { description }),
      ...(shape.diffs && { diffs: shape.diffs }),
      options: [
        { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
        ...lasting.map(({ option }) => option),
        reject,
      ],
    },
    reply(answer) {
      if (answer.optionId === 'reject') return refusal(answer);
      const chosen = lasting.find(({ option }) => option.optionId === answer.optionId);
      return allowed(asked.input, chosen?.updates);
    },
  };
}

function questionWithOptions(asked: PermissionQuestion, place: QuestionPlace): AskedQuestion<PermissionReply> {
  const questions = asList(asked.input['questions']).flatMap((entry, index): Question[] => {
    const fields = asOptionalRecord(entry);
    const question = asText(fields?.['question']);
    if (!fields || question === undefined) return [];
    const header = asText(fields['header']);
    const options = asList(fields['options']).flatMap((option) => {
      const label = asText(asRecord(option)['label']);
      const description = asText(asRecord(option)['description']);
      return label === undefined ? [] : [{ label, ...(description && { description }) }];
    });
    return [
      {
        id: `q${index}`,
        ...(header && { header }),
        question,
        multiSelect: fields['multiSelect'] === true,
        options,
        freeText: true,
      },
    ];
  });
  return {
    callId: asked.callId,
    withdrawn,
    request: {
      ...baseOf(asked, place),
      kind: 'question',
      title: questions[0]?.question ?? 'Claude Code has a question',
      questions,
      options: [
        { optionId: 'answer', name: 'Answer', kind: 'allow_once' },
        { optionId: 'reject', name: 'Skip question', kind: 'reject_once' },
      ],
    },
    reply(answer) {
      if (answer.optionId === 'reject') return refusal(answer);
      const answers = questions.flatMap(({ id, question }) => {
        const given = answer.answers?.[id];
        const chosen = typeof given === 'string' ? [given] : asTexts(given);
        return chosen.length === 0 ? [] : [[question, chosen.join(', ')] as const];
      });
      return allowed({ ...asked.input, answers: Object.fromEntries(answers) });
    },
  };
}

function planApproval(asked: PermissionQuestion, place: QuestionPlace): AskedQuestion<PermissionReply> {
  const plan = asText(asked.input['plan']) ?? asText(place.callArguments['plan']);
  return {
    callId: asked.callId,
    withdrawn,
    request: {
      ...baseOf(asked, place),
      kind: 'plan',
      title: 'Approve this plan?',
      ...(plan && { description: plan }),
      options: [
        { optionId: 'allow', name: 'Approve and ask before each edit', kind: 'allow_once' },
        {
          optionId: 'always-edits',
          name: 'Approve and allow all edits',
          kind: 'allow_always',
          description: 'For this session only.',
        },
        { optionId: 'reject', name: 'Keep planning', kind: 'reject_once' },
      ],
    },
    reply(answer) {
      if (answer.optionId === 'reject') return refusal(answer);
      const isLasting = answer.optionId === 'always-edits';
      // Always named: otherwise Claude Code returns to the mode from before the plan, which may ask for nothing.
      const mode = isLasting ? 'acceptEdits' : 'default';
      const updates = [{ type: 'setMode', mode, destination: 'session' }] as const;
      return allowed(asked.input, updates, isLasting);
    },
  };
}

/** A form of an MCP server, or a page it wants to open. */
export function askedForm(asked: FormQuestion, place: QuestionPlace): AskedQuestion<FormReply> {
  return {
    callId: undefined,
    withdrawn: { action: 'cancel' },
    request: {
      requestId: asked.requestId,
      turnId: place.turnId,
      openedAt: place.openedAt,
      kind: 'form',
      title: `${asked.server} needs your input`,
      description: asked.url === undefined ? asked.message : `${asked.message}\n\n${asked.url}`,
      ...(asked.schema && { schema: { ...asked.schema } }),
      options: [
        { optionId: 'accept', name: asked.url === undefined ? 'Send' : 'Done', kind: 'allow_once' },
        { optionId: 'reject', name: 'Decline', kind: 'reject_once' },
      ],
    },
    reply: (answer) =>
      answer.optionId === 'accept'
        ? { action: 'accept', content: (answer.answers ?? {}) as Record<string, never> }
        : { action: 'decline' },
  };
}

function baseOf(asked: PermissionQuestion, place: QuestionPlace) {
  return {
    requestId: asked.requestId,
    turnId: place.turnId,
    callId: asked.callId,
    toolName: readableName(asked.toolName),
    toolArguments: { ...asked.input },
    openedAt: place.openedAt,
    ...(asked.subagentId !== undefined && { outlivesTurn: true }),
  };
}

function allowed(
  input: Loose,
  updates?: readonly PermissionUpdate[],
  isLasting = updates !== undefined,
): PermissionReply {
  return {
    behavior: 'allow',
    updatedInput: { ...input },
    ...(updates && { updatedPermissions: [...updates] }),
    decisionClassification: isLasting ? 'user_permanent' : 'user_temporary',
  };
}

type PermissionUpdate = NonNullable<Extract<PermissionReply, { behavior: 'allow' }>['updatedPermissions']>[number];

const refusal = (answer: PermissionAnswer): PermissionReply => ({
  behavior: 'deny',
  message: answer.feedback?.trim() || 'The user rejected this. Stop and ask what to do instead.',
  decisionClassification: 'user_reject',
});
