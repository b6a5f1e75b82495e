import { SessionInfo, SetEffortBody, SetModeBody, SetModelBody } from '@liminal/contracts';
import { z } from 'zod';
import type { AppDeps, TypedApp } from '../build-app.ts';
import { replyWith } from '../failure-to-reply.ts';

const params = z.object({ id: z.string().min(1) });
const response = { 200: SessionInfo };

/** Model, mode and effort of one session; each answers with what the session now says of itself. */
export function choiceRoutes(app: TypedApp, { sessions }: AppDeps): void {
  app.post('/api/session/:id/model', { schema: { params, body: SetModelBody, response } }, async (request, reply) =>
    replyWith(reply, await sessions.setModel(request.params.id, request.body.modelId)),
  );
  app.post('/api/session/:id/mode', { schema: { params, body: SetModeBody, response } }, async (request, reply) =>
    replyWith(reply, await sessions.setMode(request.params.id, request.body.modeId, request.body.confirm)),
  );
  app.post('/api/session/:id/effort', { schema: { params, body: SetEffortBody, response } }, async (request, reply) =>
    replyWith(reply, await sessions.setEffort(request.params.id, request.body.effort)),
  );
}
