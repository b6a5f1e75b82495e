import { z } from 'zod';

export const Usage = z.object({
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  cacheReadInputTokens: z.int().nonnegative().optional(),
  cacheCreationInputTokens: z.int().nonnegative().optional(),
});
export type Usage = z.infer<typeof Usage>;

/** What really changed in the folder during a turn, whoever changed it. Known shortly after the turn ends. */
export const TurnChanges = z.object({
  files: z.int().nonnegative(),
  additions: z.int().nonnegative(),
  deletions: z.int().nonnegative(),
});
export type TurnChanges = z.infer<typeof TurnChanges>;

const turnBase = { turnId: z.string().min(1), sessionId: z.string().min(1) };
const terminalBase = {
  usage: Usage.optional(),
  costUsd: z.number().nonnegative().optional(),
  durationMs: z.number().nonnegative().optional(),
  /** Added when the same event is sent again later; missing if the folder wasn't recorded. */
  changes: TurnChanges.optional(),
};

export const TurnStarted = z.object({
  type: z.literal('turn_started'),
  ...turnBase,
  /** `unknown` if the agent never said. */
  modelId: z.string().min(1),
  providerId: z.string().min(1),
  /** `agent` for a turn the user didn't ask for (a background task that ended, a wake-up). */
  initiator: z.enum(['user', 'agent']).optional(),
});
export type TurnStarted = z.infer<typeof TurnStarted>;

export const TurnComplete = z.object({
  type: z.literal('turn_complete'),
  ...turnBase,
  status: z.enum(['completed', 'cancelled']),
  ...terminalBase,
});
export type TurnComplete = z.infer<typeof TurnComplete>;

export const TurnError = z.object({
  type: z.literal('turn_error'),
  ...turnBase,
  errorCode: z.string().min(1),
  errorMessage: z.string(),
  ...terminalBase,
});
export type TurnError = z.infer<typeof TurnError>;

/** The events of a turn: exactly one start and exactly one terminal; a failed turn ends with `turn_error`. */
export const TurnEvent = z.discriminatedUnion('type', [TurnStarted, TurnComplete, TurnError]);
export type TurnEvent = z.infer<typeof TurnEvent>;

export const TurnTerminal = z.discriminatedUnion('type', [TurnComplete, TurnError]);
export type TurnTerminal = z.infer<typeof TurnTerminal>;

export const TurnState = z.enum(['running', 'completed', 'cancelled', 'failed']);
export type TurnState = z.infer<typeof TurnState>;

/** A turn in a history: its state and its events. */
export const TurnRecord = z.object({
  turnId: z.string().min(1),
  state: TurnState,
  started: TurnStarted.optional(),
  ended: TurnTerminal.optional(),
  /** When the agent got the message and when the turn ended. */
  startedAt: z.iso.datetime().optional(),
  endedAt: z.iso.datetime().optional(),
});
export type TurnRecord = z.infer<typeof TurnRecord>;
