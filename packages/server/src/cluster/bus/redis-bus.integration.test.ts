import { afterAll, beforeAll, vi } from 'vitest';
import { startTestCluster, type TestCluster } from '../testing/test-cluster.ts';
import { patience } from '../../reliability/testing/torture.ts';
import { summary } from '../../bus/directory.contract.ts';
import { sessionBusContract } from '../../bus/session-bus.contract.ts';
import type { SessionBus } from '../../bus/session-bus.ts';

let cluster: TestCluster;
let made = 0;
beforeAll(async () => {
  cluster = await startTestCluster(2);
});
afterAll(() => cluster.close());

/** Opened on the first machine, followed from the second. Each test uses its own sessions. */
sessionBusContract('Redis, from one machine to another', () => {
  const [owner, other] = cluster.nodes.map((node) => node.cluster);
  const opened = new Set<string>();
  const own = `${(made += 1)}`;
  const bus: SessionBus = {
    open(sessionId, source) {
      opened.add(own + sessionId);
      const feed = owner!.bus.open(own + sessionId, source);
      owner!.directory.put(summary(own + sessionId));
      return feed;
    },
    follow: (sessionId, cursor, follower) => other!.bus.follow(own + sessionId, cursor, follower),
    repeat: (sessionId, itemId) => other!.bus.repeat(own + sessionId, itemId),
  };
  const settle = () =>
    vi.waitFor(async () => {
      for (const sessionId of opened) if (!other!.isRemote(sessionId)) throw new Error(`${sessionId} is not known`);
      // In this order: items requested from the owner, what it publishes, and what has arrived.
      for (const { bus: each } of [other!, owner!, other!])
        if (!(await each.isSettled())) throw new Error('not settled');
    }, patience);
  return { bus, settle };
});

/** Both ends on one machine, as on a server that has only its own readers. */
sessionBusContract('Redis, within one machine', () => ({ bus: cluster.nodes[0]!.cluster.bus, settle: async () => {} }));
