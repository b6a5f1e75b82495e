import type { FastifyReply } from 'fastify';
import { cookieValue } from './guard.ts';

export type CookieDeps = { readonly cookieName: () => string; readonly token: () => string };

const oneYear = 60 * 60 * 24 * 365;

/** Gives this browser what it is known by from now on. */
export function letIn(reply: FastifyReply, { cookieName, token }: CookieDeps): void {
  reply.setCookie(cookieName(), cookieValue(token()), {
    httpOnly: true,
    sameSite: 'strict',
    path: '/',
    maxAge: oneYear,
  });
}
