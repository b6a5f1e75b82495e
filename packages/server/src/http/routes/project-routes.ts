import { AddProjectBody, ok, Project, ProjectsReply, TrustProjectBody } from '@liminal/contracts';
import { z } from 'zod';
import type { AppDeps, TypedApp } from '../build-app.ts';
import { replyWith } from '../failure-to-reply.ts';

const params = z.object({ id: z.string().min(1) });

export function projectRoutes(app: TypedApp, { projects, sessions }: AppDeps): void {
  app.get('/api/projects', { schema: { response: { 200: ProjectsReply } } }, async () => ({
    projects: projects.list(),
  }));
  app.post(
    '/api/projects',
    { schema: { body: AddProjectBody, response: { 200: Project, 201: Project } } },
    async (request, reply) => {
      const added = await projects.add(request.body.dir);
      if (!added.ok) return replyWith(reply, added);
      return replyWith(reply, ok(added.value.project), added.value.isNew ? 201 : 200);
    },
  );
  app.delete('/api/projects/:id', { schema: { params, response: { 204: z.null() } } }, async (request, reply) =>
    replyWith(reply, await projects.remove(request.params.id), 204),
  );
  app.post(
    '/api/projects/:id/trust',
    { schema: { params, body: TrustProjectBody, response: { 200: Project } } },
    async (request, reply) => {
      const { id } = request.params;
      const changed = await projects.trust(id, request.body.trusted);
      if (changed.ok) await sessions.trustChanged(id);
      return replyWith(reply, changed);
    },
  );
}
