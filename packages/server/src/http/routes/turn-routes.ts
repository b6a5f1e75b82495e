import { Done, PermissionAnswer, SendBody, SendReply } from '@liminal/contracts';
import { z } from 'zod';
import type { AppDeps, TypedApp } from '../build-app.ts';
import { replyWith } from '../failure-to-reply.ts';

const params = z.object({ id: z.string().min(1) });
const noBody = z.object({}).nullish();

/** What a person does within a session. `send` answers once the message is durable, never at the end of the turn. */
export function turnRoutes(app: TypedApp, { sessions }: AppDeps): void {
  app.post(
    '/api/session/:id/send',
    { schema: { params, body: SendBody, response: { 202: SendReply } } },
    async (request, reply) => replyWith(reply, await sessions.send(request.params.id, request.body), 202),
  );
  app.post(
    '/api/session/:id/cancel',
    { schema: { params, body: noBody, response: { 200: Done } } },
    async (request, reply) => replyWith(reply, await sessions.cancel(request.params.id)),
  );
  app.post(
    '/api/session/:id/kill',
    { schema: { params, body: noBody, response: { 200: Done } } },
    async (request, reply) => replyWith(reply, await sessions.kill(request.params.id)),
  );
  app.post(
    '/api/session/:id/permission',
    { schema: { params, body: PermissionAnswer, response: { 200: Done } } },
    async (request, reply) => replyWith(reply, await sessions.answer(request.params.id, request.body)),
  );
}
