import { afterEach, describe, expect, it, vi } from 'vitest';
import { createScriptedProvider } from '../providers/testing/scripted-provider.ts';
import { patience, testTimeout } from '../reliability/testing/torture.ts';
import { startRedisAddress, type TestAddress } from './testing/redis-address.ts';
import { startTestCluster, type TestCluster, type TestNode } from './testing/test-cluster.ts';

let cluster: TestCluster;
let address: TestAddress;
afterEach(async () => {
  await cluster.close();
  address.close();
});

const stateOf = ({ cluster: { view } }: TestNode) => view().state;
const nodeOf = (node: TestNode, sessionId: string) => node.cluster.directory.get(sessionId)?.node;

/** Two machines. The first can lose Redis while the second keeps it, and the second can take over its sessions. */
async function start() {
  cluster = await startTestCluster(0);
  let isCut = false;
  address = await startRedisAddress(() => (isCut ? null : cluster.redis.port));
  const listSessions = async () => [
    { sessionId, cliType: 'scripted', title: 'Recorded', updatedAt: '2026-01-01T00:00:00.000Z', size: 1 },
  ];
  const owner = await cluster.add({ config: { redisUrl: address.url } });
  const other = await cluster.add({ provider: createScriptedProvider('scripted', { listSessions }, 'other') });
  await cluster.settled();
  const sessionId: string = await owner.newSession();
  await cluster.settled();
  return {
    owner,
    other,
    sessionId,
    async cutOff() {
      isCut = true;
      address.cut();
      await vi.waitFor(() => expect(stateOf(owner)).toBe('apart'), patience);
    },
    async reconnect() {
      isCut = false;
      await vi.waitFor(() => expect(stateOf(owner)).toBe('joined'), patience);
    },
    async takeOver() {
      await vi.waitFor(() => expect(nodeOf(other, sessionId)?.presence).toBe('gone'), patience);
      expect((await other.call('POST', `/api/session/${sessionId}/takeover`)).status).toBe(200);
    },
  };
}

describe('a machine that loses Redis while the others keep it', () => {
  it(
    'shows a session that was taken over meanwhile as moved, never as deleted',
    async () => {
      const { owner, other, sessionId, cutOff, reconnect, takeOver } = await start();
      await cutOff();
      await takeOver();
      const removed: string[] = [];
      owner.cluster.directory.follow((change) => removed.push(...change.removed));
      await reconnect();
      await vi.waitFor(() => expect(nodeOf(owner, sessionId)?.name).toBe(other.name), patience);
      await cluster.settled();
      expect(removed).toEqual([]);
    },
    testTimeout,
  );
});
