import { afterEach, describe, expect, it, vi } from 'vitest';
import { createScriptedProvider } from '../providers/testing/scripted-provider.ts';
import { connectSocket } from '../testing/socket-client.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { type AgentServer, startAgentServer } from './testing/agent-server.ts';
import { patience, testTimeout } from './testing/torture.ts';
import { until } from './testing/until.ts';

let server: TestServer | AgentServer | undefined;
afterEach(() => server?.close());

const past = async (moment: number): Promise<void> => until(() => Date.now() > moment);

/** A session whose last turn ended a moment ago. */
async function used(test: TestServer): Promise<string> {
  const sessionId = await test.newSession();
  await use(test, sessionId);
  return sessionId;
}
async function use(test: TestServer, sessionId: string): Promise<void> {
  const before = test.provider.sent.length;
  await test.call('POST', `/api/session/${sessionId}/send`, { content: 'hello' });
  await until(() => test.provider.sent.length > before);
  test.provider.start(sessionId);
  test.provider.end(sessionId);
  await past(Date.now() + 1);
}
const status = async (test: TestServer, sessionId: string) =>
  (await test.call('GET', `/api/session/${sessionId}/status`)).body;

describe('idle agents', () => {
  it('are put to sleep after a while and wake with the next message', async () => {
    const hour = 3_600_000;
    const test = await startTestServer({ idleMs: hour });
    server = test;
    const sessionId = await used(test);
    await test.served.keeper.check();
    expect(await status(test, sessionId)).toMatchObject({ isAlive: true, activity: 'idle' });
    const clock = performance.now.bind(performance);
    const later = vi.spyOn(performance, 'now').mockImplementation(() => clock() + hour);
    await test.served.keeper.check();
    later.mockRestore();
    expect(await status(test, sessionId)).toMatchObject({
      sessionId,
      cliType: 'scripted',
      state: 'open',
      activity: 'asleep',
      attention: 'done',
      isAlive: false,
    });
    await use(test, sessionId);
    expect(test.provider.loaded).toHaveLength(1);
    expect(await status(test, sessionId)).toMatchObject({ isAlive: true });
  });

  it('are put to sleep, longest idle first, as soon as there are too many', async () => {
    const test = await startTestServer({ maxLiveAgents: 2 });
    server = test;
    const sessions = [await used(test), await used(test)];
    await use(test, sessions[0]!);
    sessions.push(await used(test));
    await vi.waitFor(
      async () => expect(await status(test, sessions[1]!)).toMatchObject({ activity: 'asleep' }),
      patience,
    );
    expect(await status(test, sessions[0]!)).toMatchObject({ isAlive: true });
    // Opening this session makes it recently used.
    await test.call('POST', `/api/session/${sessions[1]}/load`);
    await vi.waitFor(
      async () => expect(await status(test, sessions[0]!)).toMatchObject({ activity: 'asleep' }),
      patience,
    );
    expect(await status(test, sessions[1]!)).toMatchObject({ isAlive: true });
    expect(await status(test, sessions[2]!)).toMatchObject({ isAlive: true });
  });

  it('stay awake while they run, wait for the user, or have background work', async () => {
    const provider = createScriptedProvider('scripted', {
      hasBackgroundWork: (sessionId) => sessionId === 'scripted-3',
    });
    const test = await startTestServer({ idleMs: 0, maxLiveAgents: 1, provider });
    server = test;
    const [runs, asks, works, rests] = [
      await test.newSession(),
      await test.newSession(),
      await used(test),
      await used(test),
    ];
    for (const sessionId of [runs, asks]) {
      const before = provider.sent.length;
      await test.call('POST', `/api/session/${sessionId}/send`, { content: 'hello' });
      await until(() => provider.sent.length > before);
      provider.start(sessionId);
    }
    const options = [
      { optionId: 'y', name: 'Yes', kind: 'allow_once' as const },
      { optionId: 'n', name: 'No', kind: 'reject_once' as const },
    ];
    provider.ask(asks, {
      requestId: 'r',
      turnId: 't',
      kind: 'tool',
      title: 'ls',
      options,
      openedAt: '2026-01-01T00:00:00.000Z',
    });
    await test.served.keeper.check();
    const alive = await Promise.all(
      [runs, asks, works, rests].map(async (sessionId) => (await status(test, sessionId)).isAlive),
    );
    expect(alive).toEqual([true, true, true, false]);
  });

  it(
    'leave no process behind when they sleep, and continue where they were when they wake',
    async () => {
      const agents = await startAgentServer({ idleMs: 0 });
      server = agents;
      const { api } = agents;
      const sessionId = await api.newSession('recording', agents.folder);
      const done = async (content: string, turns: number) => {
        await api.send(sessionId, content);
        await vi.waitFor(async () => {
          const history = await api.history(sessionId);
          expect(history.turns.map((turn) => turn.state)).toEqual(Array.from({ length: turns }, () => 'completed'));
        }, patience);
      };
      await done('say 2', 1);
      await agents.served.keeper.check();
      expect(await api.status(sessionId)).toMatchObject({ activity: 'asleep', isAlive: false });
      expect(await agents.agents()).toEqual([]);
      await done('say 3', 2);
      expect((await api.history(sessionId)).entries).toHaveLength(4);
    },
    testTimeout,
  );
});

describe('idle sessions', () => {
  const inMemory = (test: TestServer): string[] => test.served.roster.all().map(({ shell }) => shell.sessionId);

  it('leave memory, stay in the list, and return complete when needed', async () => {
    const test = await startTestServer({ idleMs: 0, limits: { unusedMs: 0 } });
    server = test;
    const sessionId = await used(test);
    const path = `/api/session/${sessionId}/history`;
    const before = (await test.call('GET', path)).body;
    await vi.waitFor(async () => {
      await test.served.keeper.check();
      expect(inMemory(test)).toEqual([]);
    }, patience);
    expect(await status(test, sessionId)).toMatchObject({ activity: 'asleep', attention: 'done' });
    const after = (await test.call('GET', path)).body;
    expect([after['entries'], after['turns']]).toEqual([before['entries'], before['turns']]);
    await use(test, sessionId);
    const history = (await test.call<{ turns: unknown[] }>('GET', path)).body;
    expect(history.turns).toHaveLength(2);
  });

  it('stay in memory while they are read, run, or have queued messages', async () => {
    const test = await startTestServer({ idleMs: 3_600_000, limits: { unusedMs: 0 } });
    server = test;
    const [read, runs, over] = [await used(test), await test.newSession(), await used(test)];
    const client = await connectSocket(await test.served.listen());
    client.say({ type: 'session:subscribe', sessionId: read });
    await client.next((message) => message.type === 'session:history');
    for (const each of [read, over]) await test.provider.killSession(each);
    await test.call('POST', `/api/session/${runs}/send`, { content: 'hello' });
    await vi.waitFor(async () => {
      await test.served.keeper.check();
      expect(inMemory(test)).not.toContain(over);
    }, patience);
    expect(inMemory(test).toSorted()).toEqual([read, runs].toSorted());
    await client.close();
  });
});

describe('unresponsive agents', () => {
  it(
    'are ended if they don’t complete the handshake in time, and leave no process',
    async () => {
      const silent = { args: ['-e', 'setInterval(() => {}, 1000)'] };
      const agents = await startAgentServer({ agentLimits: { initializeMs: 300 }, spec: silent });
      server = agents;
      const reply = await agents.api.call('POST', '/api/session/create', {
        cliType: 'recording',
        projectDir: agents.folder,
      });
      expect(reply).toMatchObject({ status: 504, body: { error: { code: 'AGENT_UNRESPONSIVE' } } });
      expect(await agents.agents()).toEqual([]);
    },
    testTimeout,
  );

  it(
    'are replaced if they ignore cancel, the user is informed, and the next message is answered',
    async () => {
      const agents = await startAgentServer({ agentLimits: { cancelMs: 200 } });
      server = agents;
      const { api } = agents;
      const sessionId = await api.newSession('recording', agents.folder);
      const { turnId } = (await api.send(sessionId, 'deaf')).body;
      await vi.waitFor(async () => expect((await api.history(sessionId)).entries).toHaveLength(2), patience);
      expect((await api.call('POST', `/api/session/${sessionId}/cancel`)).status).toBe(200);
      await vi.waitFor(async () => {
        const { turns } = await api.history(sessionId);
        expect(turns).toMatchObject([{ turnId, state: 'failed', ended: { errorCode: 'AGENT_UNRESPONSIVE' } }]);
      }, patience);
      expect(await api.status(sessionId)).toMatchObject({ lastError: { code: 'AGENT_UNRESPONSIVE' } });
      await api.send(sessionId, 'say 1');
      await vi.waitFor(
        async () => expect((await api.history(sessionId)).turns[1]).toMatchObject({ state: 'completed' }),
        patience,
      );
      expect(await agents.agents()).toHaveLength(1);
    },
    testTimeout,
  );
});
