import { FilesQuery, FilesReply, ok } from '@liminal/contracts';
import { z } from 'zod';
import type { AppDeps, TypedApp } from '../build-app.ts';
import { replyWith } from '../failure-to-reply.ts';

const params = z.object({ id: z.string().min(1) });
const usualLimit = 20;

/** Files of a project by a few typed characters, for mentions. */
export function fileRoutes(app: TypedApp, { projects, fileFinder }: AppDeps): void {
  app.get(
    '/api/projects/:id/files',
    { schema: { params, querystring: FilesQuery, response: { 200: FilesReply } } },
    async ({ params: { id }, query }, reply) => {
      const project = projects.get(id);
      if (!project.ok) return replyWith(reply, project);
      return replyWith(reply, ok(await fileFinder.find(project.value, query.q ?? '', query.limit ?? usualLimit)));
    },
  );
}
