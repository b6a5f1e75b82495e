import { afterEach, beforeEach, vi } from 'vitest';
import { startTestCluster, type TestCluster } from '../../cluster/testing/test-cluster.ts';
import { patience } from '../../reliability/testing/torture.ts';
import { summary } from '../directory.contract.ts';
import { sessionBusContract } from '../session-bus.contract.ts';
import type { SessionBus } from '../session-bus.ts';

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startTestCluster(2);
});
afterEach(() => cluster.close());

/** Opened on the first machine, followed from the second. */
sessionBusContract('Redis, from one machine to another', () => {
  const [owner, other] = cluster.nodes.map((node) => node.cluster);
  const opened = new Set<string>();
  const bus: SessionBus = {
    open(sessionId, source) {
      opened.add(sessionId);
      const feed = owner!.bus.open(sessionId, source);
      owner!.directory.put(summary(sessionId));
      return feed;
    },
    follow: (sessionId, cursor, follower) => other!.bus.follow(sessionId, cursor, follower),
    repeat: (sessionId, itemId) => other!.bus.repeat(sessionId, itemId),
  };
  const settle = () =>
    vi.waitFor(async () => {
      for (const sessionId of opened) if (!other!.isRemote(sessionId)) throw new Error(`${sessionId} is not known`);
      // What was asked of the owner, what it tells, and what has arrived, in this order.
      for (const { bus: each } of [other!, owner!, other!])
        if (!(await each.isSettled())) throw new Error('not settled');
    }, patience);
  return { bus, settle };
});

/** Both ends on one machine: the way of a server whose readers are its own. */
sessionBusContract('Redis, within one machine', () => {
  const [owner] = cluster.nodes.map((node) => node.cluster);
  return { bus: owner!.bus, settle: async () => {} };
});
