import { z } from 'zod';

/**
 * Every expected failure: its HTTP status, and whether it may also end a turn (`turn_error.errorCode`).
 * A failure that isn't in this table is a bug and goes to the handler for unexpected errors.
 */
export const failures = {
  UNSUPPORTED_CLI_TYPE: { http: 400, endsTurn: false },
  PROJECT_DIR_INVALID: { http: 400, endsTurn: false },
  PROJECT_ID_REQUIRED: { http: 400, endsTurn: false },
  INVALID_REQUEST: { http: 400, endsTurn: false },
  INVALID_STREAM_EVENT: { http: 400, endsTurn: false },
  PATH_REFUSED: { http: 400, endsTurn: false },
  UNAUTHORIZED: { http: 401, endsTurn: false },
  FORBIDDEN_ORIGIN: { http: 403, endsTurn: false },
  FORBIDDEN_HOST: { http: 421, endsTurn: false },
  TOO_MANY_ATTEMPTS: { http: 429, endsTurn: false },
  UNSUPPORTED_MEDIA_TYPE: { http: 415, endsTurn: false },
  PAYLOAD_TOO_LARGE: { http: 413, endsTurn: false },
  FILE_TOO_LARGE: { http: 413, endsTurn: false },
  NOT_FOUND: { http: 404, endsTurn: false },
  METHOD_NOT_ALLOWED: { http: 405, endsTurn: false },
  SESSION_NOT_FOUND: { http: 404, endsTurn: false },
  PROJECT_NOT_FOUND: { http: 404, endsTurn: false },
  PERMISSION_NOT_FOUND: { http: 404, endsTurn: false },
  TURN_NOT_FOUND: { http: 404, endsTurn: false },
  ITEM_NOT_FOUND: { http: 404, endsTurn: false },
  FILE_NOT_FOUND: { http: 404, endsTurn: false },
  COMMENT_NOT_FOUND: { http: 404, endsTurn: false },
  WORKTREE_NOT_FOUND: { http: 404, endsTurn: false },
  COMPARE_NOT_FOUND: { http: 404, endsTurn: false },
  CHECKPOINT_NOT_FOUND: { http: 404, endsTurn: false },
  TERMINAL_NOT_FOUND: { http: 404, endsTurn: false },
  SESSION_DEAD: { http: 409, endsTurn: false },
  PERMISSION_CLOSED: { http: 409, endsTurn: false },
  TURN_STARTED: { http: 409, endsTurn: false },
  NOT_SUPPORTED: { http: 409, endsTurn: false },
  PROJECT_NOT_TRUSTED: { http: 409, endsTurn: false },
  STALE: { http: 409, endsTurn: false },
  TURN_RUNNING: { http: 409, endsTurn: false },
  CONFLICT: { http: 409, endsTurn: false },
  GIT_BUSY: { http: 409, endsTurn: false },
  GIT_FAILED: { http: 409, endsTurn: false },
  HOOK_FAILED: { http: 409, endsTurn: false },
  NOTHING_TO_COMMIT: { http: 409, endsTurn: false },
  NOT_A_REPOSITORY: { http: 409, endsTurn: false },
  WORKTREE_DIRTY: { http: 409, endsTurn: false },
  FILE_CHANGED: { http: 412, endsTurn: false },
  GIT_MISSING: { http: 424, endsTurn: false },
  AGENT_NOT_INSTALLED: { http: 424, endsTurn: true },
  SESSION_CREATE_FAILED: { http: 502, endsTurn: true },
  PROCESS_CRASH: { http: 502, endsTurn: true },
  PROTOCOL_ERROR: { http: 502, endsTurn: true },
  INTERRUPT_FAILED: { http: 502, endsTurn: true },
  AGENT_AUTH_REQUIRED: { http: 502, endsTurn: true },
  MODEL_ERROR: { http: 502, endsTurn: true },
  RATE_LIMITED: { http: 502, endsTurn: true },
  NODE_UNREACHABLE: { http: 503, endsTurn: false },
  AGENT_UNRESPONSIVE: { http: 504, endsTurn: true },
  INTERNAL_ERROR: { http: 500, endsTurn: false },
} as const satisfies Record<string, { http: number; endsTurn: boolean }>;

export type FailureCode = keyof typeof failures;
export const FailureCode = z.enum(Object.keys(failures) as [FailureCode, ...FailureCode[]]);

/** Details for programs: the files in conflict, the output of a hook. */
export type FailureDetails = Readonly<Record<string, unknown>>;

/** One failure, with a message a user can act on. */
export type Failure<Code extends FailureCode = FailureCode> = {
  readonly code: Code;
  readonly message: string;
  readonly details?: FailureDetails;
};

export type Result<T, Code extends FailureCode = FailureCode> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure<Code> };

export const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });
export const fail = <Code extends FailureCode>(
  code: Code,
  message: string,
  details?: FailureDetails,
): { ok: false; failure: Failure<Code> } => ({
  ok: false,
  failure: details === undefined ? { code, message } : { code, message, details },
});

/** The body of every HTTP reply that is not a success. */
export const FailureReply = z.object({
  error: z.object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()).optional() }),
});
export type FailureReply = z.infer<typeof FailureReply>;
