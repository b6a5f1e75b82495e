import { ClusterReply, type ClusterView, CreateSessionReply, fail, type Result } from '@liminal/contracts';
import { z } from 'zod';
import type { AppDeps, TypedApp } from '../build-app.ts';
import { replyWith } from '../failure-to-reply.ts';

export type ClusterDoor = {
  view(): ClusterView;
  takeOver(sessionId: string): Promise<Result<z.infer<typeof CreateSessionReply>>>;
};

const params = z.object({ id: z.string().min(1) });
const alone = fail('NOT_SUPPORTED', 'This machine works alone: there is nobody to take a session over from.');

/** The machines that work together, and going on here with a session whose machine is gone. */
export function clusterRoutes(app: TypedApp, { cluster }: AppDeps): void {
  app.get('/api/cluster', { schema: { response: { 200: ClusterReply } } }, async () => ({
    cluster: cluster?.view() ?? null,
  }));
  app.post(
    '/api/session/:id/takeover',
    { schema: { params, body: z.object({}).nullish(), response: { 200: CreateSessionReply } } },
    async (request, reply) => replyWith(reply, cluster ? await cluster.takeOver(request.params.id) : alone),
  );
}
