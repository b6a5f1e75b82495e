import { z } from 'zod';

export const Usage = z.object({
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  cacheReadInputTokens: z.int().nonnegative().optional(),
  cacheCreationInputTokens: z.int().nonnegative().optional(),
});
export type Usage = z.infer<typeof Usage>;

/** What really changed in the folder while a turn ran, whoever changed it. Known shortly after its end. */
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
  /** Comes later, in the same event sent again; absent where the folder was not recorded. */
  changes: TurnChanges.optional(),
};

export const TurnStarted = z.object({
  type: z.literal('turn_started'),
  ...turnBase,
  /** `unknown` when the agent never said. */
  modelId: z.string().min(1),
  providerId: z.string().min(1),
  /** `agent` for a turn nobody asked for (a background task that ended, a wake-up). */
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

/** The life of one turn: exactly one start and exactly one terminal; a failed turn is `turn_error`. */
export const TurnEvent = z.discriminatedUnion('type', [TurnStarted, TurnComplete, TurnError]);
export type TurnEvent = z.infer<typeof TurnEvent>;

export const TurnTerminal = z.discriminatedUnion('type', [TurnComplete, TurnError]);
export type TurnTerminal = z.infer<typeof TurnTerminal>;

export const TurnState = z.enum(['running', 'completed', 'cancelled', 'failed']);
export type TurnState = z.infer<typeof TurnState>;

/** One turn as a history has it: its state and the turn events themselves. */
export const TurnRecord = z.object({
  turnId: z.string().min(1),
  state: TurnState,
  started: TurnStarted.optional(),
  ended: TurnTerminal.optional(),
  /** When the message was handed to the agent and when the turn ended, for elapsed times. */
  startedAt: z.iso.datetime().optional(),
  endedAt: z.iso.datetime().optional(),
});
export type TurnRecord = z.infer<typeof TurnRecord>;
