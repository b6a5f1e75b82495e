import { ok, Preferences, PreferencesBody, ProjectChoices } from '@liminal/contracts';
import { z } from 'zod';
import type { AppDeps, TypedApp } from '../build-app.ts';
import { replyWith } from '../failure-to-reply.ts';

const params = z.object({ id: z.string().min(1) });

/** What a person set for all agents, and what new sessions of a project will start with. */
export function preferenceRoutes(app: TypedApp, { preferences, projects }: AppDeps): void {
  app.get('/api/preferences', { schema: { response: { 200: Preferences } } }, async () => preferences.get());
  app.put(
    '/api/preferences',
    { schema: { body: PreferencesBody, response: { 200: Preferences } } },
    async (request, reply) => replyWith(reply, await preferences.set(request.body)),
  );
  app.get(
    '/api/projects/:id/choices',
    { schema: { params, response: { 200: ProjectChoices } } },
    async ({ params: { id } }, reply) => {
      const project = projects.get(id);
      return replyWith(reply, project.ok ? ok({ choices: preferences.choicesOf(id) }) : project);
    },
  );
}
