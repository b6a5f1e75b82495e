import type { FastifyReply } from 'fastify';
import type { Origins } from '../access/origins.ts';
import type { Visitor } from '../access/visitors.ts';

export type CookieDeps = { readonly cookieName: () => string; readonly origins: Origins };

const oneYear = 60 * 60 * 24 * 365;

/** Gives this browser the cookie that shows it the page from now on. */
export function giveCookie(reply: FastifyReply, { cookie }: Visitor, { cookieName, origins }: CookieDeps): void {
  reply.setCookie(cookieName(), cookie, {
    httpOnly: true,
    sameSite: 'strict',
    secure: origins.isSecure(reply.request.headers.host ?? ''),
    path: '/',
    maxAge: oneYear,
  });
}
