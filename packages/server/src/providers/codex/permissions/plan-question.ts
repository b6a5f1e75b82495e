import type { PermissionRequest } from '@liminal/contracts';
import type { QuestionPlace } from '../../acp/permissions/permission-question.ts';
import type { CodexQuestion } from './approval-question.ts';

/** Whether a plan is carried out. Codex does not ask it: a client does, and leaves plan mode. */
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
