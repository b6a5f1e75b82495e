import type { LoggedRequest } from '@liminal/stand-ins/model-server';
import type { Project } from '@liminal/contracts';
import { expect } from 'vitest';
import { createTestRepository } from '../git/testing/test-repository.ts';
import { startClaudeUnderTest } from '../providers/claude/testing/claude-under-test.ts';
import { startNative } from '../providers/codex/testing/native-under-test.ts';
import type { CliProvider } from '../providers/provider.ts';
import { startTestServer, type TestServer } from './test-server.ts';

/** A real agent, offline, and the requests to its scripted model. */
export type RealAgent = {
  readonly provider: CliProvider;
  readonly model: { readonly requests: readonly LoggedRequest[] };
  cleanup(): Promise<void>;
};

export const realAgents: readonly (readonly [string, () => Promise<RealAgent>])[] = [
  ['Claude Code', () => startClaudeUnderTest()],
  ['Codex', () => startNative()],
];

/** Every text in a request to the model. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

/** Trusts a folder, and returns an agent session in it. */
export async function openTrusted(server: TestServer, { provider }: RealAgent, dir: string): Promise<string> {
  const { body } = await server.call<Project>('POST', '/api/projects', { dir });
  await server.call('POST', `/api/projects/${body.projectId}/trust`, { trusted: true });
  const create = { cliType: provider.cliType, projectDir: dir };
  return (await server.call<{ sessionId: string }>('POST', '/api/session/create', create)).body.sessionId;
}

/** A real agent with a session in its own trusted repository, and the texts of the last request to its model. */
export async function startInRepository(start: () => Promise<RealAgent>) {
  const agent = await start();
  const repository = createTestRepository();
  repository.put('a.txt', 'one\n');
  repository.commit();
  const server = await startTestServer({ folder: repository.dir, others: [agent.provider] });
  const sessionId = await openTrusted(server, agent, repository.dir);
  return {
    agent,
    repository,
    server,
    sessionId,
    lastAsked: () => textsIn(agent.model.requests.at(-1)?.body).join('\n'),
    async close(): Promise<void> {
      await server.close();
      await agent.cleanup();
      repository.cleanup();
    },
  };
}

const patience = { timeout: 60_000, interval: 20 };

/** Sends a message and waits until its turn has ended. */
export async function say(server: TestServer, sessionId: string, content: string): Promise<string> {
  const sent = await server.call<{ turnId: string }>('POST', `/api/session/${sessionId}/send`, { content });
  expect(sent).toMatchObject({ status: 202 });
  const { turnId } = sent.body;
  await expect.poll(() => server.store.turn(sessionId, turnId)?.ended ?? null, patience).not.toBeNull();
  return turnId;
}
