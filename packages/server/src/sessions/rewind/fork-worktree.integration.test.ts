import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionInfo, SessionPlace, Worktree } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoAgent } from '../../providers/acp/catalogue/built-in-agents.ts';
import { startProviderUnderTest } from '../../providers/acp/testing/provider-under-test.ts';
import { createScriptedProvider } from '../../providers/testing/scripted-provider.ts';
import { realAgents, say, startInRepository } from '../../testing/real-agent.ts';
import type { TestServer } from '../../testing/test-server.ts';
import { startWorktreeServer, type WorktreeServer } from '../../worktrees/testing/worktree-server.ts';

type Forked = { readonly sessionId: string; readonly place: SessionPlace & { readonly worktreeId: string } };

const fork = (server: TestServer, sessionId: string, body: object) =>
  server.call<Forked>('POST', `/api/session/${sessionId}/fork`, body);

const carefulModes: Readonly<Record<string, string>> = { 'claude-code': 'plan', codex: 'read-only' };

it.each(realAgents)(
  "CP-2 CP-9: %s continues in a new worktree from an earlier turn, in its parent's mode, even when reopened",
  async (_, start) => {
    const { agent, repository, server, sessionId, lastAsked, close } = await startInRepository(start);
    try {
      const modeId = carefulModes[agent.provider.cliType];
      const set = await server.call('POST', `/api/session/${sessionId}/mode`, { modeId });
      expect(set.status).toBe(200);
      await say(server, sessionId, '@text answer-apple');
      const plum = await say(server, sessionId, '@text answer-plum');
      await say(server, sessionId, '@text answer-cherry');

      const copy = await fork(server, sessionId, { turnId: plum, place: { kind: 'worktree', branch: 'try-plum' } });
      expect(copy).toMatchObject({ status: 201, body: { place: { kind: 'worktree', branch: 'try-plum' } } });
      const { sessionId: copyId, place } = copy.body;
      expect(place.folder.startsWith(`${repository.dir}/`)).toBe(false);
      expect(existsSync(join(place.folder, 'a.txt'))).toBe(true);
      await say(server, copyId, '@text answer-in-worktree');
      expect(lastAsked()).toMatch(/answer-apple[^]*answer-plum[^]*answer-in-worktree/);
      expect(lastAsked()).not.toContain('cherry');
      expect(lastAsked()).toContain(place.folder);
      const offered = await server.call<{ info: SessionInfo }>('GET', `/api/session/${copyId}/capabilities`);
      expect(offered.body.info.modeId).toBe(modeId);

      await server.call('POST', `/api/session/${copyId}/kill`);
      expect(await server.call('POST', `/api/session/${copyId}/load`, {})).toMatchObject({ status: 200 });
      await say(server, copyId, '@text answer-later');
      expect(lastAsked()).toMatch(/answer-plum[^]*answer-in-worktree[^]*answer-later/);

      await say(server, sessionId, '@text answer-first-goes-on');
      expect(lastAsked()).toMatch(/answer-cherry[^]*answer-first-goes-on/);
      expect(lastAsked()).not.toContain('in-worktree');
    } finally {
      await close();
    }
  },
  240_000,
);

it('CP-2: the demo agent continues in a new worktree too', async () => {
  const demo = startProviderUnderTest(demoAgent(), { LIMINAL_DEMO_SPEED: '20' });
  const world = await startWorktreeServer({ others: [demo.provider] });
  const { server, projectId } = world;
  try {
    const create = { cliType: 'demo', projectId };
    const made = await server.call<{ sessionId: string }>('POST', '/api/session/create', create);
    const first = await say(server, made.body.sessionId, 'hello');
    await say(server, made.body.sessionId, 'hello again');
    const copy = await fork(server, made.body.sessionId, { turnId: first, place: { kind: 'worktree' } });
    expect(copy).toMatchObject({ status: 201, body: { place: { kind: 'worktree' } } });
    const turn = await say(server, copy.body.sessionId, 'hello');
    expect(server.store.turn(copy.body.sessionId, turn)?.state).toBe('completed');
    expect(await world.read(copy.body.place.worktreeId)).toMatchObject({ sessionId: copy.body.sessionId });
  } finally {
    await world.close();
    await demo.cleanup();
  }
});

describe('a fork into a worktree', () => {
  let world: WorktreeServer;
  const asked: (string | undefined)[] = [];
  beforeEach(async () => {
    asked.length = 0;
    const provider = createScriptedProvider('scripted', {
      forkSession: async (sessionId, { projectDir } = {}) => {
        asked.push(projectDir);
        return { sessionId: `copy-${asked.length}-of-${sessionId}`, cliType: 'scripted' };
      },
    });
    Object.assign(provider.capabilities, { fork: true, forkAtTurn: true });
    world = await startWorktreeServer({ provider });
  });
  afterEach(() => world.close());

  const turn = async (sessionId: string): Promise<string> => {
    const { server } = world;
    const sent = await server.call<{ turnId: string }>('POST', `/api/session/${sessionId}/send`, { content: 'go' });
    await expect.poll(() => server.provider.sent.at(-1)?.options?.turnId).toBe(sent.body.turnId);
    server.provider.start(sessionId);
    server.provider.end(sessionId);
    await expect.poll(() => server.store.turn(sessionId, sent.body.turnId)?.ended ?? null).not.toBeNull();
    return sent.body.turnId;
  };

  it('CP-2 WT-1: of a session in a worktree starts from that branch, once, however often it is requested', async () => {
    const { server, repository } = world;
    const { sessionId, place } = await world.session({ kind: 'worktree', branch: 'first' });
    await turn(sessionId);
    repository.git('-C', place.folder, 'commit', '--allow-empty', '-m', 'by the first');
    const body = { place: { kind: 'worktree', branch: 'second' }, clientSessionId: 'mine' };
    const [one, two] = await Promise.all([fork(server, sessionId, body), fork(server, sessionId, body)]);
    expect(one).toMatchObject({ status: 201, body: { place: { branch: 'second' } } });
    expect(two.body).toEqual(one.body);
    expect(asked).toEqual([one.body.place.folder]);
    expect(await world.read(one.body.place.worktreeId)).toMatchObject({ base: 'first', startedFor: 'mine' });
    expect(repository.git('-C', one.body.place.folder, 'log', '-1', '--format=%s')).toBe('by the first\n');
    // The parent stays where it is, and a copy in "this folder" works in the same worktree.
    const beside = await fork(server, sessionId, { place: { kind: 'folder' } });
    expect(beside.body.place).toMatchObject({ kind: 'worktree', folder: place.folder, branch: 'first' });
  });

  it('CP-2 WT-2: is refused before anything is created, and a failed setup leaves its worktree for the next try', async () => {
    const { server } = world;
    const sessionId = await server.newSession();
    const only = await turn(sessionId);
    const place = { kind: 'worktree' };
    expect((await fork(server, sessionId, { turnId: 'nobody', place })).status).toBe(404);
    const missing = await fork(server, sessionId, { turnId: only, place: { ...place, base: 'no-such-branch' } });
    expect(missing.body).toMatchObject({ error: { code: 'GIT_FAILED', message: expect.stringContaining('no-such') } });
    expect(await world.list()).toEqual([]);

    await world.settings({ setupCommand: 'echo not today; exit 3' });
    const failed = await server.call<{ error: { details: { worktreeId: string } } }>(
      'POST',
      `/api/session/${sessionId}/fork`,
      { place },
    );
    const { worktreeId } = failed.body.error.details;
    expect(asked).toEqual([]);
    expect(await world.read(worktreeId)).toMatchObject<Partial<Worktree>>({ state: 'failed' });
    await server.call('POST', `/api/worktrees/${worktreeId}/start-anyway`);
    const again = await fork(server, sessionId, { place: { ...place, worktreeId } });
    expect(again).toMatchObject({ status: 201, body: { place: { worktreeId } } });
    expect(await world.list()).toHaveLength(1);
  });
});
