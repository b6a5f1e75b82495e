import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { type CookieDeps, letIn } from './let-in.ts';

export type PageDeps = CookieDeps & { readonly pageDir: string };

/** The built page. Its first visit brings the token in the address and leaves with a cookie; the page then clears it. */
export async function pageRoutes(app: FastifyInstance, { pageDir, ...cookie }: PageDeps): Promise<void> {
  const index = join(pageDir, 'index.html');
  app.get('/', { schema: { hide: true } }, async (request, reply) => {
    if (typeof (request.query as { token?: unknown }).token === 'string') {
      letIn(reply, cookie);
    }
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
