import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Visitors, Visitor } from '../access/visitors.ts';
import type { Origins } from '../access/origins.ts';

export type PageDeps = CookieDeps & { readonly pageDir: string; readonly visitors: Visitors };

/** The routes of the page's own files. */
export const pageFileRoutes: ReadonlySet<string> = new Set(['/', '/assets/*']);

/** The built page. The first visit has the token in its address and gets a cookie; the page signs in with the token. */
export async function pageRoutes(app: FastifyInstance, { pageDir, visitors, ...cookie }: PageDeps): Promise<void> {
  const index = join(pageDir, 'index.html');
  app.get('/', { schema: { hide: true } }, async (request, reply) => {
    const { token } = request.query as { token?: unknown };
    if (typeof token === 'string') giveCookie(reply, visitors.of(token), cookie);
    return reply.type('text/html').send(await readFile(index, 'utf8'));
  });
  await app.register(fastifyStatic, {
    root: join(pageDir, 'assets'),
    prefix: '/assets/',
    // File names contain a hash of the content.
    cacheControl: true,
    immutable: true,
    maxAge: '365d',
    preCompressed: true,
  });
}

type CookieDeps = { readonly cookieName: () => string; readonly origins: Origins };

const oneYear = 60 * 60 * 24 * 365;

/** Gives this browser the cookie for the page's files. */
export function giveCookie(reply: FastifyReply, { cookie }: Visitor, { cookieName, origins }: CookieDeps): void {
  reply.setCookie(cookieName(), cookie, {
    httpOnly: true,
    sameSite: 'strict',
    secure: origins.isSecure(reply.request.headers.host ?? ''),
    path: '/',
    maxAge: oneYear,
  });
}
