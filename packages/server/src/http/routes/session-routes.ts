import {
  AuditReply,
  CapabilitiesReply,
  CreateSessionBody,
  CreateSessionReply,
  DiscoverReply,
  HistoryPage,
  HistoryQuery,
  ListSessionsQuery,
  LoadSessionBody,
  LoadSessionReply,
  ok,
  PatchSessionBody,
  PrepareSessionBody,
  PrepareSessionReply,
  SessionsReply,
  SessionStatusReply,
  SessionSummary,
} from '@liminal/contracts';
import { z } from 'zod';
import type { AppDeps, TypedApp } from '../build-app.ts';
import { replyWith } from '../failure-to-reply.ts';

const params = z.object({ id: z.string().min(1) });

/** Sessions as things: made, found, read, named, removed. What happens within one is in turn-routes. */
export function sessionRoutes(app: TypedApp, { sessions }: AppDeps): void {
  app.post(
    '/api/session/create',
    { schema: { body: CreateSessionBody, response: { 201: CreateSessionReply } } },
    async (request, reply) => replyWith(reply, await sessions.create(request.body), 201),
  );
  app.post(
    '/api/session/prepare',
    { schema: { body: PrepareSessionBody, response: { 200: PrepareSessionReply } } },
    async (request, reply) => replyWith(reply, await sessions.prepare(request.body)),
  );
  app.get(
    '/api/session/list',
    { schema: { querystring: ListSessionsQuery, response: { 200: SessionsReply } } },
    async (request, reply) => {
      const listed = sessions.list(request.query.projectId, request.query.scope);
      return replyWith(reply, listed.ok ? ok({ sessions: listed.value }) : listed);
    },
  );
  app.get(
    '/api/session/discover',
    { schema: { querystring: z.object({ projectId: z.string().optional() }), response: { 200: DiscoverReply } } },
    async (request, reply) => replyWith(reply, await sessions.discover(request.query.projectId)),
  );
  app.post(
    '/api/session/:id/load',
    { schema: { params, body: LoadSessionBody.nullish(), response: { 200: LoadSessionReply } } },
    async (request, reply) => replyWith(reply, await sessions.load(request.params.id, request.body ?? {})),
  );
  app.get(
    '/api/session/:id/status',
    { schema: { params, response: { 200: SessionStatusReply } } },
    async (request, reply) => replyWith(reply, await sessions.status(request.params.id)),
  );
  app.get(
    '/api/session/:id/history',
    { schema: { params, querystring: HistoryQuery, response: { 200: HistoryPage } } },
    async (request, reply) => replyWith(reply, await sessions.history(request.params.id, request.query)),
  );
  app.get(
    '/api/session/:id/items/:itemId/output',
    { schema: { params: params.extend({ itemId: z.string().min(1) }) } },
    async (request, reply) => {
      const { id, itemId } = request.params;
      return replyWith(reply.type('text/plain; charset=utf-8'), await sessions.output(id, itemId));
    },
  );
  app.get(
    '/api/session/:id/capabilities',
    { schema: { params, response: { 200: CapabilitiesReply } } },
    async (request, reply) => replyWith(reply, await sessions.capabilities(request.params.id)),
  );
  app.get('/api/session/:id/audit', { schema: { params, response: { 200: AuditReply } } }, async (request, reply) =>
    replyWith(reply, await sessions.audit(request.params.id)),
  );
  app.patch(
    '/api/session/:id',
    { schema: { params, body: PatchSessionBody, response: { 200: SessionSummary } } },
    async (request, reply) => replyWith(reply, await sessions.patch(request.params.id, request.body)),
  );
  app.delete('/api/session/:id', { schema: { params, response: { 204: z.null() } } }, async (request, reply) =>
    replyWith(reply, await sessions.remove(request.params.id), 204),
  );
}
