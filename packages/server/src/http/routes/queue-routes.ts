import { EditQueuedBody, ok, QueuedImages, SendReply, SessionQueue } from '@liminal/contracts';
import { z } from 'zod';
import type { AppDeps, TypedApp } from '../build-app.ts';
import { replyWith } from '../failure-to-reply.ts';

const params = z.object({ id: z.string().min(1) });
const queuedParams = params.extend({ turnId: z.string().min(1) });

export function queueRoutes(app: TypedApp, { sessions }: AppDeps): void {
  app.get('/api/session/:id/queue', { schema: { params, response: { 200: SessionQueue } } }, async (request, reply) =>
    replyWith(reply, await sessions.queue(request.params.id)),
  );
  app.patch(
    '/api/session/:id/queue/:turnId',
    { schema: { params: queuedParams, body: EditQueuedBody, response: { 200: SessionQueue } } },
    async ({ params: { id, turnId }, body }, reply) =>
      replyWith(reply, await sessions.editQueued(id, turnId, body.content)),
  );
  app.delete(
    '/api/session/:id/queue/:turnId',
    { schema: { params: queuedParams, response: { 204: z.null() } } },
    async ({ params: { id, turnId } }, reply) => {
      const withdrawn = await sessions.withdraw(id, turnId);
      return replyWith(reply, withdrawn.ok ? ok(null) : withdrawn, 204);
    },
  );
  app.get(
    '/api/session/:id/queue/:turnId/images',
    { schema: { params: queuedParams, response: { 200: QueuedImages } } },
    async ({ params: { id, turnId } }, reply) => replyWith(reply, await sessions.queuedImages(id, turnId)),
  );
  app.post(
    '/api/session/:id/queue/:turnId/resend',
    { schema: { params: queuedParams, body: z.object({}).nullish(), response: { 202: SendReply } } },
    async ({ params: { id, turnId } }, reply) => replyWith(reply, await sessions.resend(id, turnId), 202),
  );
}
