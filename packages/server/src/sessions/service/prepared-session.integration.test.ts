import type { SessionInfo } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type ClaudeUnderTest,
  patience,
  startClaudeUnderTest,
} from '../../providers/claude/testing/claude-under-test.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let claude: ClaudeUnderTest;
let server: TestServer;
beforeEach(async () => {
  claude = await startClaudeUnderTest({ wasUsed: () => true, limits: { spareDelayMs: 0 } });
  server = await startTestServer({ others: [claude.provider] });
});
afterEach(async () => {
  await server.close();
  await claude.cleanup();
});

const spareIsReady = () => vi.waitFor(() => expect(claude.provider.spareIsReady()).toBe(true), patience);

describe('a new session of the real Claude Code', () => {
  it.each(['at once', 'after the agent was prepared', 'after the next spare is ready too'])(
    'offers its models, efforts and commands when it is created %s',
    async (when) => {
      const projectBody = { dir: claude.projectDir };
      const { projectId } = (await server.call<{ projectId: string }>('POST', '/api/projects', projectBody)).body;
      await spareIsReady();
      const body = { cliType: 'claude-code', projectId };
      if (when !== 'at once') {
        await server.call('POST', '/api/session/prepare', body);
        // The next spare starts once the first one has been taken.
        await vi.waitFor(() => expect(claude.starts()).toBe(2), patience);
      }
      if (when === 'after the next spare is ready too') await spareIsReady();
      const created = await server.call<{ sessionId: string }>('POST', '/api/session/create', body);
      expect(created.status).toBe(201);
      const { sessionId } = created.body;
      await vi.waitFor(async () => {
        const reply = await server.call<{ info: SessionInfo }>('GET', `/api/session/${sessionId}/capabilities`);
        const { models = [], efforts = [], commands = [] } = reply.body.info;
        expect([models.length, efforts.length, commands.length].every((count) => count > 0)).toBe(true);
      }, patience);
    },
  );
});
