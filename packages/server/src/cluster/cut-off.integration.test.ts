import { afterEach, describe, expect, it, vi } from 'vitest';
import { ProviderError } from '../providers/provider-error.ts';
import { createScriptedProvider } from '../providers/testing/scripted-provider.ts';
import { patience, testTimeout } from '../reliability/testing/torture.ts';
import { connectRedis } from './redis/redis-client.ts';
import { startRedisAddress, type TestAddress } from './testing/redis-address.ts';
import { startTestCluster, type TestCluster, type TestNode } from './testing/test-cluster.ts';

let cluster: TestCluster;
const addresses: TestAddress[] = [];
afterEach(async () => {
  await cluster.close();
  for (const address of addresses.splice(0)) address.close();
});

const nodeOf = (node: TestNode, sessionId: string) => node.cluster.directory.get(sessionId)?.node;
const stands = (node: TestNode, state: 'joined' | 'apart') =>
  vi.waitFor(() => expect(node.cluster.view().state).toBe(state), patience);

/** A machine that can lose Redis while the others keep it. */
async function addNode(options: Parameters<TestCluster['add']>[0] = {}) {
  let isCut = false;
  const address = await startRedisAddress(() => (isCut ? null : cluster.redis.port));
  addresses.push(address);
  const node = await cluster.add({ ...options, config: { redisUrl: address.url } });
  return {
    node,
    async cutOff() {
      isCut = true;
      address.cut();
      await stands(node, 'apart');
    },
    async reconnect() {
      isCut = false;
      await stands(node, 'joined');
    },
  };
}

type Cuttable = Awaited<ReturnType<typeof addNode>>;

/** Two machines. The first has a session, which the second can take over. */
async function start() {
  cluster = await startTestCluster(0);
  const agent = { onList: async (_count: number): Promise<void> => {} };
  let lists = 0;
  const listSessions = async () => {
    await agent.onList((lists += 1));
    return [{ sessionId, cliType: 'scripted', title: 'Recorded', updatedAt: '2026-01-01T00:00:00.000Z', size: 1 }];
  };
  const owner = await addNode();
  const other = await addNode({ provider: createScriptedProvider('scripted', { listSessions }, 'other') });
  await cluster.settled();
  const sessionId: string = await owner.node.newSession();
  await cluster.settled();
  return {
    owner,
    other,
    sessionId,
    agent,
    async takeOver(status = 200) {
      await vi.waitFor(() => expect(nodeOf(other.node, sessionId)?.presence).toBe('gone'), patience);
      expect((await other.node.call('POST', `/api/session/${sessionId}/takeover`)).status).toBe(status);
    },
  };
}

describe('a machine that loses Redis while the others keep it', () => {
  it(
    'shows a session that was taken over meanwhile as moved, never as deleted',
    async () => {
      const { owner, other, sessionId, takeOver } = await start();
      await owner.cutOff();
      await takeOver();
      const removed: string[] = [];
      owner.node.cluster.directory.follow((change) => removed.push(...change.removed));
      await owner.reconnect();
      await vi.waitFor(() => expect(nodeOf(owner.node, sessionId)?.name).toBe(other.node.name), patience);
      await cluster.settled();
      expect(removed).toEqual([]);
    },
    testTimeout,
  );

  it(
    'shows a session that is being taken over as moved, and sends it nothing here',
    async () => {
      const { owner, other, sessionId, agent, takeOver } = await start();
      const removed: string[] = [];
      const seen: unknown[] = [];
      // It asks the agent once before it takes the session, and once after.
      agent.onList = async (count) => {
        if (count !== 2) return;
        owner.node.cluster.directory.follow((change) => removed.push(...change.removed));
        await owner.reconnect();
        seen.push(nodeOf(owner.node, sessionId)?.name, owner.node.cluster.directory.all().length);
        await owner.node.call('POST', `/api/session/${sessionId}/send`, { content: 'to whoever has it' });
      };
      await owner.cutOff();
      await takeOver();
      await vi.waitFor(() => expect(nodeOf(owner.node, sessionId)?.name).toBe(other.node.name), patience);
      await cluster.settled();
      expect([seen, removed, owner.node.provider.sent]).toEqual([[other.node.name, 1], [], []]);
      const sent = await owner.node.call('POST', `/api/session/${sessionId}/send`, { content: 'to the new owner' });
      expect(sent.status).toBe(202);
      await vi.waitFor(() => expect(other.node.provider.sent).toMatchObject([{ sessionId }]), patience);
      expect((await other.node.call('DELETE', `/api/session/${sessionId}`)).status).toBe(204);
      await vi.waitFor(() => expect(removed).toEqual([sessionId]), patience);
    },
    testTimeout,
  );

  it(
    'doesn’t take back a session that was taken over, if Redis loses its data while the new owner is away',
    async () => {
      const { owner, other, sessionId, takeOver } = await start();
      await owner.cutOff();
      await takeOver();
      await owner.reconnect();
      await other.cutOff();
      await owner.cutOff();
      await cluster.redis.restart();
      await owner.reconnect();
      await other.reconnect();
      await cluster.settled();
      expect([owner, other].map(({ node }) => nodeOf(node, sessionId)?.name)).toEqual([
        other.node.name,
        other.node.name,
      ]);
      const sent = await owner.node.call('POST', `/api/session/${sessionId}/send`, { content: 'to the new owner' });
      expect(sent.status).toBe(202);
      await vi.waitFor(() => expect(other.node.provider.sent).toMatchObject([{ sessionId }]), patience);
    },
    testTimeout,
  );

  it.each([
    ['before', (owner: Cuttable, other: Cuttable) => [other, owner]],
    ['after', (owner: Cuttable, other: Cuttable) => [owner, other]],
  ])(
    'gives back a session that it was taking over, if it returns %s the owner',
    async (_name, inOrder) => {
      const { owner, other, sessionId, agent, takeOver } = await start();
      // It asks the agent once before it takes the session, and once after.
      agent.onList = async (count) => {
        if (count === 1) return;
        await other.cutOff();
        throw new ProviderError('AGENT_AUTH_REQUIRED', 'Log in first.');
      };
      await owner.cutOff();
      await takeOver(502);
      for (const each of inOrder(owner, other)) await each.reconnect();
      for (const { node } of [owner, other]) {
        await vi.waitFor(() => expect(nodeOf(node, sessionId)?.name).toBe('node-1'), patience);
      }
      await cluster.settled();
      const sent = await other.node.call('POST', `/api/session/${sessionId}/send`, { content: 'to its first owner' });
      expect(sent.status).toBe(202);
      await vi.waitFor(() => expect(owner.node.provider.sent).toMatchObject([{ sessionId }]), patience);
    },
    testTimeout,
  );

  it(
    'removes a session from Redis that was deleted meanwhile',
    async () => {
      const { owner, other, sessionId } = await start();
      const kept = await owner.node.newSession();
      await cluster.settled();
      const line = await connectRedis({ url: cluster.redis.url, caFile: null });
      const keysOf = (id: string) => line.run(['KEYS', `liminal:session:${id}:*`]);
      expect(await keysOf(sessionId)).not.toEqual([]);
      await owner.cutOff();
      expect((await owner.node.call('DELETE', `/api/session/${sessionId}`)).status).toBe(204);
      await owner.reconnect();
      await cluster.settled();
      await vi.waitFor(() => expect(nodeOf(other.node, sessionId)).toBeUndefined(), patience);
      // The stream stays for a minute, so the last readers notice.
      expect(await keysOf(sessionId)).toEqual([`liminal:session:${sessionId}:changes`]);
      expect(await line.run(['HKEYS', 'liminal:owners'])).toEqual([kept]);
      expect(await keysOf(kept)).not.toEqual([]);
      line.destroy();
    },
    testTimeout,
  );
});
