import type { Project, RewindPlanReply, RewindReply, SessionHistory } from '@liminal/contracts';
import { expect } from 'vitest';
import { createTestRepository, type TestRepository } from '../../../git/testing/test-repository.ts';
import type { TestServer } from '../../../testing/test-server.ts';

export const patience = { timeout: 30_000, interval: 10 };

/** A repository with a few files that agents change in these tests. */
export function createSampleRepository(): TestRepository {
  const repository = createTestRepository();
  repository.put('a.txt', 'one\ntwo\nthree\nfour\nfive\n');
  repository.put('b.txt', 'b\n');
  repository.put('run.sh', '#!/bin/sh\n', 0o755);
  repository.commit();
  return repository;
}

export async function turnIdsOf(server: TestServer, sessionId: string): Promise<string[]> {
  const { body } = await server.call<SessionHistory>('GET', `/api/session/${sessionId}/history`);
  return body.turns.map(({ turnId }) => turnId);
}

export type RewindSession = Awaited<ReturnType<typeof openRewindSession>>;

/** A session in the server's folder, which is trusted; its turns can be rewound. A new one unless it is given. */
export async function openRewindSession(server: TestServer, given?: string) {
  const { body: project } = await server.call<Project>('POST', '/api/projects', { dir: server.folder });
  await server.call('POST', `/api/projects/${project.projectId}/trust`, { trusted: true });
  const sessionId = given ?? (await server.newSession());
  const { provider, store } = server;

  /** A turn in which the agent changes the folder. */
  async function turn(work: (turnId: string) => void | Promise<void>, of = sessionId): Promise<string> {
    const sent = provider.sent.length;
    const { body } = await server.call<{ turnId: string }>('POST', `/api/session/${of}/send`, { content: 'do it' });
    await expect.poll(() => provider.sent.length, patience).toBe(sent + 1);
    provider.start(of);
    await work(body.turnId);
    provider.say(of, `${body.turnId}:1:0`, 'done', 'complete');
    provider.end(of);
    await expect.poll(() => store.checkpoint(of, body.turnId)?.after ?? null, patience).not.toBeNull();
    return body.turnId;
  }
  const plan = (turnId: string) =>
    server.call<RewindPlanReply>('POST', `/api/session/${sessionId}/rewind/plan`, { turnId });
  return {
    sessionId,
    turn,
    plan,
    /** Makes a plan and rewinds by it. */
    async rewind(turnId: string, also: string[] = []) {
      const { planId } = (await plan(turnId)).body;
      return server.call<RewindReply>('POST', `/api/session/${sessionId}/rewind`, { turnId, planId, also });
    },
    undo: (rewindId: string) => server.call<RewindReply>('POST', `/api/session/${sessionId}/rewind/undo`, { rewindId }),
    turnIds: () => turnIdsOf(server, sessionId),
  };
}
