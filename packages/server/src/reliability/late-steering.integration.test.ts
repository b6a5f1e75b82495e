import type { HistoryPage, SendReply, SessionStatus } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClaudeUnderTest, patience, startClaudeUnderTest } from '../providers/claude/testing/claude-under-test.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

describe('a message steered into the last text of the real Claude Code', () => {
  let agent: ClaudeUnderTest;
  let server: TestServer;
  let sessionId: string;
  beforeEach(async () => {
    agent = await startClaudeUnderTest();
    server = await startTestServer({ others: [agent.provider], folder: agent.projectDir });
    const create = { cliType: 'claude-code', projectDir: agent.projectDir };
    sessionId = (await server.call<{ sessionId: string }>('POST', '/api/session/create', create)).body.sessionId;
  });
  afterEach(async () => {
    await server.close();
    await agent.cleanup();
  });

  const send = async (content: string, mode: 'queue' | 'steer' = 'queue') =>
    (await server.call<SendReply>('POST', `/api/session/${sessionId}/send`, { content, mode })).body.turnId;
  const history = async () => (await server.call<HistoryPage>('GET', `/api/session/${sessionId}/history`)).body;
  const status = async () => (await server.call<SessionStatus>('GET', `/api/session/${sessionId}/status`)).body;
  const until = (look: () => Promise<void>) => vi.waitFor(look, patience);
  /** Only what the agent says: its start line names a folder, whose random name may contain the words. */
  const answering = (words: string) =>
    until(async () => {
      const answers = (await history()).entries.filter((entry) => entry.type === 'message' && entry.origin === 'agent');
      expect(answers.map((entry) => ('content' in entry ? entry.content : '')).join('\n')).toContain(words);
    });
  const idle = () => until(async () => expect((await status()).activity).toBe('idle'));

  /** A turn in its last output, a message steered into it, and the turn that answers it. */
  async function steerLate(late: string): Promise<{ first: string; own: string }> {
    const first = await send('@slow 10 100');
    await answering('w1');
    expect(await send(late, 'steer'), 'it was meant for the running turn').toBe(first);
    await until(async () => expect((await history()).turns).toHaveLength(2));
    const own = (await history()).turns[1]?.turnId ?? '';
    return { first, own };
  }

  test('runs as a turn that is shown, stored and ended like any other', async () => {
    const { first, own } = await steerLate('@text late answer');
    await idle();
    const { turns, entries } = await history();
    expect(turns.map(({ turnId, state, started }) => [turnId, state, started?.initiator])).toEqual([
      [first, 'completed', 'user'],
      [own, 'completed', 'user'],
    ]);
    const shown = entries.filter((entry) => entry.type === 'message' && entry.origin !== 'system');
    expect(shown.map(({ turnId, status: state }) => [turnId === own ? 'own' : 'first', state])).toEqual([
      ['first', 'complete'],
      ['first', 'complete'],
      ['first', 'error'],
      ['own', 'complete'],
      ['own', 'complete'],
    ]);
    expect(entries.find((entry) => entry.itemId === `${first}:0:1`)).toMatchObject({ errorCode: 'SUPERSEDED' });
    expect(entries.find((entry) => entry.itemId === `${own}:0:0`)).toMatchObject({ content: '@text late answer' });
    const record = await agent.provider.readHistory(sessionId);
    expect(
      record.turns.map(({ turnId }) => turnId),
      'the record knows it by the same id',
    ).toEqual([first, own]);
  });

  test('keeps the session working, holds back the next message, and can be cancelled', async () => {
    const { own } = await steerLate('@slow 400 50');
    expect(await status()).toMatchObject({ activity: 'working' });
    await answering('w1 w2');
    const next = await send('@text the next one');
    const cancelled = await server.call('POST', `/api/session/${sessionId}/cancel`);
    expect(cancelled.status).toBe(200);
    await until(async () =>
      expect((await history()).turns.slice(1).map(({ turnId, state }) => [turnId, state])).toEqual([
        [own, 'cancelled'],
        [next, 'completed'],
      ]),
    );
  });

  test('is answered before a message queued behind the turn it missed', async () => {
    const first = await send('@slow 10 100');
    await answering('w1');
    await send('@text steered', 'steer');
    const queued = await send('@text queued');
    await until(async () => expect((await history()).turns).toHaveLength(3));
    await idle();
    const { turns, entries } = await history();
    expect(turns.map(({ state }) => state)).toEqual(['completed', 'completed', 'completed']);
    const answers = entries.filter((entry) => entry.type === 'message' && entry.origin === 'agent');
    expect(answers.map((entry) => 'content' in entry && entry.content.trim()).slice(1)).toEqual(['steered', 'queued']);
    expect([turns[0]?.turnId, turns.find(({ turnId }) => turnId === queued)?.turnId]).toEqual([first, queued]);
  });
});
