import { z } from 'zod';
import { FileDiff, IsoTime, ToolArguments } from './upsert.ts';

export const PermissionOption = z.object({
  optionId: z.string().min(1),
  name: z.string(),
  kind: z.enum(['allow_once', 'allow_always', 'reject_once', 'reject_always']),
  description: z.string().optional(),
});
export type PermissionOption = z.infer<typeof PermissionOption>;

export const Question = z.object({
  id: z.string().min(1),
  header: z.string().optional(),
  question: z.string(),
  multiSelect: z.boolean(),
  options: z.array(z.object({ label: z.string(), description: z.string().optional() })),
  freeText: z.boolean(),
});
export type Question = z.infer<typeof Question>;

/** A question of an agent to the user. It always has at least one accepting and one refusing option. */
export const PermissionRequest = z.object({
  requestId: z.string().min(1),
  turnId: z.string().min(1),
  callId: z.string().optional(),
  kind: z.enum(['tool', 'plan', 'question', 'form']),
  title: z.string(),
  description: z.string().optional(),
  toolName: z.string().optional(),
  toolArguments: ToolArguments.optional(),
  diffs: z.array(FileDiff).optional(),
  options: z
    .array(PermissionOption)
    .refine(
      (options) =>
        options.some((option) => option.kind.startsWith('allow')) &&
        options.some((option) => option.kind.startsWith('reject')),
      'A request needs at least one accepting and one refusing option',
    ),
  questions: z.array(Question).optional(),
  /** A form's JSON Schema. */
  schema: z.record(z.string(), z.unknown()).optional(),
  openedAt: IsoTime,
  /** Asked by background work, such as a subagent: it stays open when its turn ends. */
  outlivesTurn: z.boolean().optional(),
});
export type PermissionRequest = z.infer<typeof PermissionRequest>;

export const PermissionAnswer = z.object({
  requestId: z.string().min(1),
  optionId: z.string().min(1),
  /** By question id: the chosen labels or free text. For forms: the field values. */
  answers: z.record(z.string(), z.unknown()).optional(),
  /** A note to the agent. */
  feedback: z.string().optional(),
});
export type PermissionAnswer = z.infer<typeof PermissionAnswer>;

/** The state of a request as every browser receives it: open, answered, or ended without an answer. */
export const PermissionNotice = z.object({
  state: z.enum(['open', 'answered', 'ended']),
  request: PermissionRequest,
  optionId: z.string().optional(),
  reason: z.string().optional(),
});
export type PermissionNotice = z.infer<typeof PermissionNotice>;

/** One row of the audit log: who answered what, when, and how. */
export const PermissionDecision = z.object({
  sessionId: z.string(),
  requestId: z.string(),
  turnId: z.string(),
  title: z.string(),
  toolName: z.string().optional(),
  optionId: z.string().optional(),
  optionName: z.string().optional(),
  outcome: z.enum(['answered', 'ended']),
  by: z.string(),
  at: IsoTime,
  reason: z.string().optional(),
  feedback: z.string().optional(),
});
export type PermissionDecision = z.infer<typeof PermissionDecision>;
