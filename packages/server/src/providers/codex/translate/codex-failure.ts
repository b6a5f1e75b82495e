import { modelFailure, type TurnFailure } from '../../acp/connection/failures.ts';
import type { NativeError } from './native.ts';

const limits = new Set(['usageLimitExceeded', 'rateLimitExceeded', 'sessionBudgetExceeded']);
const tooManyRequests = 429;
const unauthorized = 401;

/** Why a turn failed, from what Codex says of it. `loginSteps`: what a person does to be let in. */
export function codexFailure({ message, kind, httpStatus }: NativeError, loginSteps: () => string): TurnFailure {
  const failure = modelFailure(message);
  if (kind === 'unauthorized' || httpStatus === unauthorized)
    return { code: 'AGENT_AUTH_REQUIRED', message: loginSteps() };
  if ((kind !== undefined && limits.has(kind)) || httpStatus === tooManyRequests)
    return { code: 'RATE_LIMITED', message: failure.message };
  return failure;
}
