import { CreateSessionReply } from '@liminal/contracts';
import { z } from 'zod';
import type { AppDeps, TypedApp } from '../build-app.ts';
import { replyWith } from '../failure-to-reply.ts';

/** One click from the first screen to an agent that answers: a folder of its own and a demo session in it. */
export function demoRoutes(app: TypedApp, { sessions, demoFolder }: AppDeps): void {
  app.post(
    '/api/demo',
    { schema: { body: z.object({}).nullish(), response: { 201: CreateSessionReply } } },
    async (_request, reply) =>
      replyWith(reply, await sessions.create({ cliType: 'demo', projectDir: await demoFolder() }), 201),
  );
}
