import type { StreamEventPayload } from '@liminal/contracts';
import type { TurnOutcome } from './turns.ts';

type ResponseEnd = Extract<StreamEventPayload, { type: 'response_done' | 'response_error' }>;

/**
 * How a response ended. The first error wins: `response_error`, which ends the turn at once, so a later `response_done`
 * changes nothing; then `response_done.error`; then its finish reason.
 */
export function readOutcome(end: ResponseEnd): TurnOutcome {
  if (end.type === 'response_error') return failed(end.error);
  const { status, usage } = end;
  if (status !== 'error') return { status, usage };
  return { ...failed(end.error ?? errorOf(end.finishReason)), usage };
}

const failed = (error: { readonly code: string; readonly message: string }) =>
  ({ status: 'failed', errorCode: error.code, errorMessage: error.message }) as const;

const errorOf = (finishReason: string | undefined) => ({
  code: 'MODEL_ERROR',
  message:
    finishReason === undefined
      ? 'The response ended with an error. The agent gave no reason'
      : `The response ended with an error (finish reason: ${finishReason})`,
});
