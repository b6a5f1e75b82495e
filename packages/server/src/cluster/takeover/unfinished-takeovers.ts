import { keptMap } from '../kept-map.ts';
import type { Ownership } from '../membership/ownership.ts';
import type { Store } from '../../store/store.ts';

export type UnfinishedTakeoversDeps = {
  readonly store: Pick<Store, 'session' | 'setting' | 'write'>;
  readonly ownership: Pick<Ownership, 'giveBack'>;
};

export type UnfinishedTakeovers = ReturnType<typeof createUnfinishedTakeovers>;

/**
 * Records each takeover before it starts. If this server dies or loses Redis in the middle, Redis says that the session
 * is ours but we don't have it. The next join then gives it back.
 */
export function createUnfinishedTakeovers({ store, ownership }: UnfinishedTakeoversDeps) {
  const kept = keptMap<string>(store, 'cluster-takeovers');
  const recorded = kept.read();
  const underWay = new Set<string>();

  const forget = async (sessionId: string): Promise<void> => {
    if (recorded.delete(sessionId)) await kept.write(recorded);
  };
  const giveBack = async (sessionId: string, nodeId: string): Promise<void> => {
    // The parts of a session that were saved before the session itself.
    if (!store.session(sessionId)) await store.write([{ type: 'remove-session', sessionId }]);
    await ownership.giveBack(sessionId, nodeId);
  };

  return {
    /** Whether the session may be half taken over. */
    has: (sessionId: string): boolean => recorded.has(sessionId),
    /** Runs a takeover that resolves to whether it succeeded. Otherwise the node gets the session back, now or later. */
    async record<T>(sessionId: string, nodeId: string, takeOver: () => Promise<T>, isDone: (end: T) => boolean) {
      underWay.add(sessionId);
      let hasSucceeded = false;
      try {
        recorded.set(sessionId, nodeId);
        await kept.write(recorded);
        const end = await takeOver();
        hasSucceeded = isDone(end);
        return end;
      } finally {
        underWay.delete(sessionId);
        // Whatever fails here is done after the next join.
        const ended = hasSucceeded ? Promise.resolve() : giveBack(sessionId, nodeId);
        await ended.then(() => forget(sessionId)).catch(() => {});
      }
    },
    /** Runs after every join. */
    async giveBackAll(): Promise<void> {
      for (const [sessionId, nodeId] of recorded) {
        if (underWay.has(sessionId)) continue;
        if (!store.session(sessionId)) await giveBack(sessionId, nodeId);
        await forget(sessionId);
      }
    },
  };
}
