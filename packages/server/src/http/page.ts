import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { type CookieDeps, giveCookie } from './give-cookie.ts';
import type { Visitors } from '../access/visitors.ts';

export type PageDeps = CookieDeps & { readonly pageDir: string; readonly visitors: Visitors };

/** The routes of the page's own files. */
export const pageFileRoutes: ReadonlySet<string> = new Set(['/', '/assets/*']);

/** The built page. Its first visit brings the token in the address and gets a cookie; the page then signs in with it. */
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
    // Names carry a hash of the content.
    cacheControl: true,
    immutable: true,
    maxAge: '365d',
    preCompressed: true,
  });
}
