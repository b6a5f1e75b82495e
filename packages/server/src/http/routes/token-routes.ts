import { RotateTokenReply } from '@liminal/contracts';
import { z } from 'zod';
import type { AppDeps, TypedApp } from '../build-app.ts';
import { replyWith } from '../failure-to-reply.ts';
import { letIn } from '../let-in.ts';

/** A new token: whoever asked stays in, everybody else has to bring the new one. */
export function tokenRoutes(app: TypedApp, deps: AppDeps): void {
  app.post(
    '/api/token/rotate',
    { schema: { body: z.object({}).nullish(), response: { 200: RotateTokenReply } } },
    async (request, reply) => {
      const rotated = deps.rotateToken();
      if (!rotated.ok) return replyWith(reply, rotated);
      // Only after the answer: the browser that asked comes back with the cookie that is in it.
      reply.raw.once('close', deps.closeSockets);
      // A page is never told the token, it keeps a cookie; a program has nothing but the token.
      if (request.headers.authorization !== undefined) return reply.send({ token: rotated.value });
      letIn(reply, deps);
      return reply.send({});
    },
  );
}
