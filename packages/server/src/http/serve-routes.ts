import type { FastifyInstance, FastifyReply } from 'fastify';
import {
  argumentsOf,
  operationId,
  pathSchema,
  routes,
  type ImageFile,
  type Result,
  type Route,
} from '@liminal/contracts';
import { z } from 'zod';
import { replyWithFailure } from './failure-to-reply.ts';
import type { Handlers } from './handlers/handlers.ts';

const noBody = z.object({}).nullish();
const contentTypes = { text: 'text/plain; charset=utf-8', lines: 'application/x-ndjson; charset=utf-8' } as const;

type AnyHandle = (...args: readonly unknown[]) => AnyAnswer | Promise<AnyAnswer>;
type AnyHandler = AnyHandle | { readonly withExchange: AnyHandle };
type AnyAnswer = Result<unknown> & { readonly isOther?: boolean };

/** Serves every route of the table with its handler. */
export function serveRoutes(app: FastifyInstance, handlers: Handlers): void {
  for (const [group, ofGroup] of Object.entries(routes)) {
    const named = handlers[group as keyof Handlers] as unknown as Record<string, AnyHandler>;
    for (const [name, route] of Object.entries<Route>(ofGroup)) {
      const handler = named[name];
      if (handler) serveRoute(app, route, operationId(group, name), handler);
    }
  }
}

function serveRoute(app: FastifyInstance, route: Route, id: string, handler: AnyHandler): void {
  const { method, path, summary, query, headers, status = 200, otherStatus, reply: replySchema, format } = route;
  const hasBody = method !== 'GET' && method !== 'DELETE';
  app.route({
    method,
    url: path,
    schema: {
      operationId: id,
      summary,
      ...(path.includes(':') && { params: pathSchema(path) }),
      ...(query && { querystring: query }),
      ...(headers && { headers }),
      ...(hasBody && { body: route.body ?? noBody }),
      ...(format === undefined && {
        response: { [status]: replySchema, ...(otherStatus && { [otherStatus]: replySchema }) },
      }),
    },
    async handler(request, reply) {
      const args = argumentsOf(route, request);
      const answer = await (typeof handler === 'function'
        ? handler(...args)
        : handler.withExchange({ request, reply }, ...args));
      if (!answer.ok) return replyWithFailure(reply, answer.failure);
      if (format === 'image') return sendImage(reply, answer.value as ImageFile);
      if (format && reply.getHeader('content-type') === undefined) reply.type(contentTypes[format]);
      return reply
        .status(answer.isOther && otherStatus ? otherStatus : status)
        .send(status === 204 ? null : answer.value);
    },
  });
}

/** However a browser shows a project's file, it does so without our origin and without scripts. */
const sendImage = (reply: FastifyReply, { mimeType, data }: ImageFile): FastifyReply =>
  reply
    .headers({ 'content-type': mimeType, 'content-security-policy': "sandbox; default-src 'none'" })
    .send(Buffer.from(data, 'base64'));
