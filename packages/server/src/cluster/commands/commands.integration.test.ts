import type { ClusterView, Project, SessionSummary } from '@liminal/contracts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createScriptedProvider } from '../../providers/testing/scripted-provider.ts';
import { patience } from '../../reliability/testing/torture.ts';
import { connectSocket } from '../../testing/socket-client.ts';
import { startTestCluster, type TestCluster, type TestNode } from '../testing/test-cluster.ts';

let cluster: TestCluster;
let owner: TestNode;
let other: TestNode;
beforeAll(async () => {
  cluster = await startTestCluster(2);
  [owner, other] = cluster.nodes as [TestNode, TestNode];
});
afterAll(() => cluster.close());

const newSession = async (): Promise<string> => {
  const sessionId = await owner.newSession();
  await cluster.settled();
  return sessionId;
};
const status = async (node: TestNode, sessionId: string) =>
  (await node.call('GET', `/api/session/${sessionId}/status`)).body;
const send = (sessionId: string, content: string, clientMessageId?: string, from = other) =>
  from.call<{ turnId: string }>('POST', `/api/session/${sessionId}/send`, { content, clientMessageId });
const sent = (sessionId: string) => owner.provider.sent.filter((one) => one.sessionId === sessionId);

describe('actions on another machine reach the owner:', () => {
  it('a message, once per clientMessageId wherever it is sent from', async () => {
    const id = await newSession();
    const first = await send(id, 'hello', 'm1');
    expect(first.status).toBe(202);
    const again = [await send(id, 'hello', 'm1'), await send(id, 'hello', 'm1', owner)];
    expect(again.map(({ body }) => body.turnId)).toEqual([first.body.turnId, first.body.turnId]);
    expect(sent(id).map(({ message }) => message)).toEqual(['hello']);
  });

  it('queue edits, withdrawals, cancel and kill', async () => {
    const id = await newSession();
    await send(id, 'first');
    owner.provider.start(id);
    const kept = (await send(id, 'second')).body.turnId;
    const dropped = (await send(id, 'third')).body.turnId;
    const edited = await other.call('PATCH', `/api/session/${id}/queue/${kept}`, { content: 'second, edited' });
    expect([edited.status, (edited.body['queue'] as unknown[]).length]).toEqual([200, 2]);
    expect((await other.call('DELETE', `/api/session/${id}/queue/${dropped}`)).status).toBe(204);
    await vi.waitFor(async () => {
      const { queue } = (await other.call('GET', `/api/session/${id}/queue`)).body;
      expect(queue).toMatchObject([{ turnId: kept, content: 'second, edited' }]);
    }, patience);
    expect((await other.call('POST', `/api/session/${id}/cancel`)).status).toBe(200);
    await vi.waitFor(
      () => expect(sent(id).map(({ message }) => message)).toEqual(['first', 'second, edited']),
      patience,
    );
    expect((await other.call('POST', `/api/session/${id}/kill`)).status).toBe(200);
    await vi.waitFor(async () => expect((await status(other, id))['state']).toBe('dead'), patience);
    const dead = await send(id, 'too late');
    expect([dead.status, (dead.body as never as { error: { code: string } }).error.code]).toEqual([
      409,
      'SESSION_DEAD',
    ]);
    expect((await other.call('POST', `/api/session/${id}/load`)).status).toBe(200);
  });

  it('answers to permission requests, with the owner’s error codes', async () => {
    const id = await newSession();
    const { turnId } = (await send(id, 'clean')).body;
    owner.provider.start(id);
    const options = [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' as const }];
    const openedAt = '2026-01-01T00:00:00.000Z';
    owner.provider.ask(id, { requestId: 'r1', turnId, kind: 'tool', title: 'rm', options, openedAt });
    await vi.waitFor(async () => expect((await status(other, id))['activity']).toBe('waiting'), patience);
    const answer = (optionId: string, requestId = 'r1') =>
      other.call('POST', `/api/session/${id}/permission`, { requestId, optionId });
    const wrong = await answer('no such option');
    expect([wrong.status, wrong.body.error.code]).toEqual([400, 'INVALID_REQUEST']);
    expect((await answer('yes')).status).toBe(200);
    const late = await answer('yes');
    expect([late.status, late.body.error.code]).toEqual([409, 'PERMISSION_CLOSED']);
    const unknown = await answer('yes', 'r9');
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'PERMISSION_NOT_FOUND']);
    expect(owner.provider.resolved).toEqual([{ requestId: 'r1', optionId: 'yes' }]);
    const { decisions } = (await other.call('GET', `/api/session/${id}/audit`)).body;
    expect(decisions).toMatchObject([{ requestId: 'r1', optionId: 'yes' }]);
  });

  it('renaming, archiving, complete outputs and deletion', async () => {
    const id = await newSession();
    await other.call('PATCH', `/api/session/${id}`, { title: 'Named from elsewhere' });
    expect((await owner.call('GET', `/api/session/${id}/capabilities`)).body['info']).toMatchObject({
      title: 'Named from elsewhere',
    });
    const noOutput = await other.call('GET', `/api/session/${id}/items/none/output`);
    expect([noOutput.status, noOutput.body.error.code]).toEqual([404, 'ITEM_NOT_FOUND']);
    expect((await other.call('DELETE', `/api/session/${id}`)).status).toBe(204);
    await vi.waitFor(() => expect(other.cluster.directory.get(id)).toBeUndefined(), patience);
    expect((await send(id, 'nobody there')).status).toBe(404);
  });

  it('a new session in a folder of that machine, prepared there', async () => {
    const { projects } = (await other.call<{ projects: Project[] }>('GET', '/api/projects')).body;
    const project = projects.find(({ node }) => node?.name === owner.name);
    expect(project).toMatchObject({ dir: owner.folder, node: { presence: 'there' } });
    const wish = { cliType: 'scripted', projectId: project?.projectId };
    expect((await other.call('POST', '/api/session/prepare', wish)).status).toBe(200);
    const begun = owner.provider.created.length;
    const made = await other.call('POST', '/api/session/create', wish);
    expect([made.status, owner.provider.created.length]).toEqual([201, begun]);
    await vi.waitFor(() => expect(owner.cluster.directory.get(String(made.body['sessionId']))).toBeDefined(), patience);
    const trust = await other.call('POST', `/api/projects/${project?.projectId}/trust`, { trusted: true });
    expect([trust.status, trust.body.error.message]).toEqual([409, expect.stringContaining(owner.name)]);
  });
});

describe('another machine shows', () => {
  it('every session of every machine, with its machine and its changes', async () => {
    const id = await newSession();
    const socket = await connectSocket(other.port);
    socket.say({ type: 'directory:subscribe' });
    const isAll = (message: { type: string }) => message.type === 'directory:changed';
    const first = (await socket.next(isAll)) as never as { sessions: SessionSummary[]; cluster: ClusterView };
    expect(first.sessions.find(({ sessionId }) => sessionId === id)?.node).toEqual({
      nodeId: expect.any(String) as string,
      name: owner.name,
      presence: 'there',
    });
    expect(first.cluster).toMatchObject({
      state: 'joined',
      name: other.name,
      nodes: [
        { name: 'node-1', address: expect.stringContaining(`:${owner.port}`) as string, presence: 'there' },
        { name: 'node-2', address: expect.stringContaining(`:${other.port}`) as string, presence: 'here' },
      ],
    });
    await owner.call('PATCH', `/api/session/${id}`, { title: 'Renamed' });
    await socket.next(
      (message) => message.type === 'directory:changed' && message.sessions.some(({ title }) => title === 'Renamed'),
    );
    await socket.close();
  });

  it('older pages of a long history, the same as the owner shows', async () => {
    const id = await newSession();
    for (let turn = 0; turn < 12; turn += 1) {
      const { turnId } = (await send(id, `question ${turn}`)).body;
      await vi.waitFor(() => expect(sent(id)).toHaveLength(turn + 1), patience);
      owner.provider.start(id);
      owner.provider.say(id, `${turnId}:1:0`, `answer ${turn}`, 'complete');
      owner.provider.end(id);
    }
    await owner.served.writer.flush();
    await cluster.settled();
    const page = async (node: TestNode, before?: string) =>
      (
        await node.call<{ entries: object[]; turns: { turnId: string }[]; nextBefore: string | null }>(
          'GET',
          `/api/session/${id}/history?limit=5${before ? `&before=${before}` : ''}`,
        )
      ).body;
    let before: string | undefined;
    for (let pages = 0; pages < 3; pages += 1) {
      const [there, here] = [await page(owner, before), await page(other, before)];
      expect(here.entries).toEqual(there.entries);
      expect(here.turns.map(({ turnId }) => turnId)).toEqual(there.turns.map(({ turnId }) => turnId));
      expect(here.nextBefore).toBe(there.nextBefore);
      before = here.nextBefore ?? undefined;
    }
    expect(before).toBeUndefined();
    expect((await other.call('GET', `/api/session/${id}/history?before=none`)).status).toBe(404);
  });
});

describe('a command whose connection is lost', () => {
  it('is done once and answered, though Redis lost it and the caller asked again', async () => {
    const own = await startTestCluster(1);
    try {
      const gate = Promise.withResolvers<void>();
      const handed: string[] = [];
      const provider = createScriptedProvider('scripted', {
        async sendMessage(_sessionId, message, options) {
          handed.push(message);
          await gate.promise;
          return { turnId: options?.turnId ?? '' };
        },
      });
      const there = await own.add({ provider });
      const [here] = own.nodes as [TestNode];
      await own.settled();
      const id = await there.newSession();
      await own.settled();
      // Without a clientMessageId, which would let the session itself detect the duplicate.
      const answer = here.call('POST', `/api/session/${id}/send`, { content: 'once' });
      await vi.waitFor(() => expect(handed).toEqual(['once']), patience);
      await own.redis.kill();
      for (const { cluster: each } of own.nodes) {
        await vi.waitFor(() => expect(each.view().state).toBe('apart'), patience);
      }
      await own.redis.restart();
      await own.settled();
      // Commands start in order, so once a later one is answered, the repeated one has started.
      expect((await here.call('GET', `/api/session/${id}/audit`)).status).toBe(200);
      gate.resolve();
      expect((await answer).status).toBe(202);
      const { turns } = (await there.call<{ turns: unknown[] }>('GET', `/api/session/${id}/history`)).body;
      const { queue } = (await there.call<{ queue: unknown[] }>('GET', `/api/session/${id}/queue`)).body;
      expect([handed, turns.length, queue]).toEqual([['once'], 1, []]);
    } finally {
      await own.close();
    }
  });

  it('has an unknown outcome if it was taken and not answered, and is done once when resent', async () => {
    const own = await startTestCluster(0);
    try {
      const gate = Promise.withResolvers<void>();
      const handed: string[] = [];
      const provider = createScriptedProvider('scripted', {
        async createSession() {
          await gate.promise;
          return { sessionId: 'made-1', cliType: 'scripted' };
        },
        async sendMessage(_sessionId, message, options) {
          handed.push(message);
          return { turnId: options?.turnId ?? '' };
        },
      });
      const there = await own.add({ provider });
      const here = await own.add({ config: { takeMs: 200, answerMs: 200 } });
      await own.settled();
      await there.call('POST', '/api/projects', { dir: there.folder });
      const projectId = await vi.waitFor(async () => {
        const { projects } = (await here.call<{ projects: Project[] }>('GET', '/api/projects')).body;
        const found = projects.find(({ dir }) => dir === there.folder);
        if (!found) throw new Error('not listed yet');
        return found.projectId;
      }, patience);
      const create = { cliType: 'scripted', projectId };
      const unanswered = await here.call('POST', '/api/session/create', create);
      expect([unanswered.status, unanswered.body.error.code]).toEqual([503, 'NODE_UNREACHABLE']);
      expect(unanswered.body.error.message).toMatch(
        /^node-1 didn't respond\. The request may or may not have been carried out/,
      );
      gate.resolve();
      await vi.waitFor(() => expect(here.cluster.directory.get('made-1')).toBeDefined(), patience);
      const send = () => here.call('POST', '/api/session/made-1/send', { content: 'once', clientMessageId: 'm1' });
      expect([(await send()).status, (await send()).status]).toEqual([202, 202]);
      await vi.waitFor(() => expect(handed).toEqual(['once']), patience);
    } finally {
      await own.close();
    }
  });

  it('is never done if nobody took it in time', async () => {
    const own = await startTestCluster(1);
    try {
      const [there] = own.nodes as [TestNode];
      const here = await own.add({ config: { takeMs: 300 } });
      await own.settled();
      const id = await there.newSession();
      await own.settled();
      there.cluster.stopCommands();
      const refused = await here.call('POST', `/api/session/${id}/send`, { content: 'nobody listens' });
      expect([refused.status, refused.body.error.code]).toEqual([503, 'NODE_UNREACHABLE']);
      expect(refused.body.error.message).toMatch(/Nothing was done/);
      await own.redis.restart();
      await own.settled();
      expect((await here.call('POST', `/api/session/${id}/send`, { content: 'now' })).status).toBe(202);
      expect(there.provider.sent.map(({ message }) => message)).toEqual(['now']);
    } finally {
      await own.close();
    }
  });
});
