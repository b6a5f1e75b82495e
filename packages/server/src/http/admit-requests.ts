import type { FastifyReply, FastifyRequest } from 'fastify';
import { replyWithFailure } from './failure-to-reply.ts';
import { pathOf, type Guard, headersOf, type CheckedRequest, type Refusal } from '../access/guard.ts';
import type { Origins } from '../access/origins.ts';
import { pageFileRoutes } from './page.ts';
import { safeHeaders, secureHeaders } from './safe-headers.ts';
import { signInHeaders, signInPage } from './sign-in-page.ts';

export type AdmitDeps = {
  readonly guard: Guard;
  readonly origins: Origins;
  /** How long a refused request may keep sending its body before its connection is closed. */
  readonly refusedBodyMs: number;
};

/** Checks every request with the guard, and answers the ones it refuses. */
export function createAdmission({ guard, origins, refusedBodyMs }: AdmitDeps) {
  const refuse = (request: FastifyRequest, reply: FastifyReply, refusal: Refusal): void => {
    closeAfterRefusal(request, refusedBodyMs);
    const isVisit = request.method === 'GET' && pathOf(request.url) === '/';
    if (refusal.code === 'TOO_MANY_ATTEMPTS') void reply.header('retry-after', '5');
    const isSignIn = isVisit && (refusal.code === 'UNAUTHORIZED' || refusal.code === 'TOO_MANY_ATTEMPTS');
    if (isSignIn) void reply.headers(signInHeaders).status(refusal.status).type('text/html').send(signInPage);
    else void replyWithFailure(reply, refusal);
  };
  return {
    /** Admits a request, or answers it. */
    admit(request: FastifyRequest, reply: FastifyReply): boolean {
      void reply.headers(safeHeaders);
      if (origins.isSecure(request.headers.host ?? '')) void reply.headers(secureHeaders);
      const refusal = guard.admit(checkedRequestOf(request));
      if (refusal) refuse(request, reply, refusal);
      return !refusal;
    },
    /** Checks again after the body, which may have taken long: the token may have been rotated meanwhile. */
    recheck(request: FastifyRequest, reply: FastifyReply): boolean {
      const refusal = guard.recheck(checkedRequestOf(request));
      if (refusal) refuse(request, reply, refusal);
      return !refusal;
    },
  };
}

function checkedRequestOf(request: FastifyRequest): CheckedRequest {
  const { token } = (request.query ?? {}) as { token?: unknown };
  return {
    method: request.method,
    path: pathOf(request.url),
    headers: headersOf(request.raw),
    queryToken: typeof token === 'string' ? token : undefined,
    isUpgrade: false,
    // Uses the matched route, because an address can be written in many ways.
    isPageFile: pageFileRoutes.has(request.routeOptions?.url ?? ''),
    address: request.socket.remoteAddress,
  };
}

/** Reads a refused body for a moment, so its sender can read the answer, then closes the connection. */
function closeAfterRefusal({ raw }: FastifyRequest, forMs: number): void {
  if (raw.complete) return;
  const timer = setTimeout(() => raw.complete || raw.socket.destroy(), forMs).unref();
  raw.once('close', () => clearTimeout(timer));
}
