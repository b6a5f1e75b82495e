import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { failures, type FailureCode, type Failure } from '@liminal/contracts';
import { z } from 'zod';
import { ProviderError } from '../providers/provider-error.ts';
import { StoreFailure } from '../store/store-failure.ts';

export function replyWithFailure(reply: FastifyReply, { code, message, details }: Failure) {
  const error = details === undefined ? { code, message } : { code, message, details };
  // A failure is always JSON, whatever the route would have sent.
  return reply.status(failures[code].http).type('application/json; charset=utf-8').send({ error });
}

/**
 * Handles everything that was thrown. Known failures keep their code. Unexpected ones are logged and reveal nothing.
 */
export function handleError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  const failure = failureOf(error);
  if (failure.code === 'INTERNAL_ERROR') request.log.error({ err: error }, 'request failed');
  return replyWithFailure(reply, failure);
}

function failureOf(error: FastifyError | Error): Failure {
  if (error instanceof ProviderError) return { code: error.code, message: error.message };
  if (error instanceof StoreFailure) return { code: 'INTERNAL_ERROR', message: error.message };
  if (error instanceof z.ZodError) return { code: 'INVALID_REQUEST', message: z.prettifyError(error) };
  const status = 'statusCode' in error ? error.statusCode : undefined;
  const known = status === undefined ? undefined : codeByStatus[status];
  if (known === 'NOT_FOUND') return { code: known, message: 'Nothing is at this address.' };
  return known
    ? { code: known, message: error.message }
    : { code: 'INTERNAL_ERROR', message: "Internal server error. The server's log has the details." };
}

const codeByStatus: Partial<Record<number, FailureCode>> = {
  400: 'INVALID_REQUEST',
  404: 'NOT_FOUND',
  // Only the static file handler refuses in this way, for a path that leads out of its folder.
  403: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};
