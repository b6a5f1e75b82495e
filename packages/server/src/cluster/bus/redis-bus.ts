import type { HistoryPage } from '@liminal/contracts';
import { itemKey } from '@liminal/domain/delivery/change';
import type { Membership } from '../membership/membership.ts';
import type { Ownership } from '../membership/ownership.ts';
import type { StreamReader } from '../redis/stream-reader.ts';
import { itemScript, removeScript } from '../redis/session-scripts.ts';
import type { SessionBus } from '../../bus/session-bus.ts';
import { lookAtSession, readItem } from './read-session.ts';
import {
  createSessionPublisher,
  type PublishVerdict,
  type RunAsOwner,
  type SessionPublisher,
} from './session-publisher.ts';
import { createSessionReplica, type SessionReplica } from './session-replica.ts';

export type RedisBusDeps = {
  readonly local: SessionBus;
  readonly membership: Membership;
  readonly ownership: Ownership;
  readonly reader: StreamReader;
  /** Whether another machine lists this session. */
  readonly isRemote: (sessionId: string) => boolean;
  readonly older: (sessionId: string, before: string) => Promise<HistoryPage>;
  readonly markOf: (sessionId: string) => string;
  /** Asks the owner to publish an item again. */
  readonly repeatThere: (sessionId: string, itemId: string) => Promise<unknown>;
  /** Called when Redis rejects our fencing number. Resolves to whether the session is ours under a new one. */
  readonly onFenced: (sessionId: string) => Promise<boolean>;
  /** The session's machine sends something this version doesn't know. */
  readonly onUnreadable: (sessionId: string) => void;
  readonly historyBytes: number;
  readonly now: () => string;
  readonly onError: (error: unknown, sessionId: string) => void;
};

export type RedisBus = SessionBus & {
  /** Runs a script on the keys of a session we own. */
  asOwner(sessionId: string): { mayWrite(): boolean; run: RunAsOwner };
  isOpen(sessionId: string): boolean;
  /** Called when the session may be written. */
  wake(sessionId: string): void;
  removed(sessionId: string): Promise<void>;
  /** Removes sessions that Redis says are ours but that were deleted here while it was unreachable. */
  removeDeleted(isKept: (sessionId: string) => boolean): Promise<void>;
  /** Whether all our changes are published, and all published changes have reached the readers here. */
  isSettled(): Promise<boolean>;
  join(): Promise<void>;
  close(): void;
};

const historyTurns = 200;
const recentChanges = 1_000;
/** How long to keep a replica without readers, in case one returns. */
const idleMs = 20_000;

/**
 * The bus of a cluster: this machine's sessions are served from memory and sent to Redis, others are read from Redis.
 */
export function createRedisBus(deps: RedisBusDeps): RedisBus {
  const { local, membership, ownership } = deps;
  const { keys } = membership;
  const publishers = new Map<string, SessionPublisher>();
  const replicas = new Map<string, SessionReplica>();
  const sweep = setInterval(() => {
    for (const [sessionId, replica] of replicas) {
      if (replica.readers() > 0) idle.delete(sessionId);
      else if (idle.has(sessionId)) drop(sessionId);
      else idle.add(sessionId);
    }
  }, idleMs).unref();
  const idle = new Set<string>();
  /** Items requested from owners and not answered yet. */
  let asked = 0;
  const drop = (sessionId: string): void => {
    const replica = replicas.get(sessionId);
    idle.delete(sessionId);
    replicas.delete(sessionId);
    replica?.close();
  };

  membership.onChange(() => {
    if (membership.isJoined()) for (const publisher of publishers.values()) publisher.wake();
  });

  const sessionKeys = (sessionId: string): string[] => {
    const own = [keys.head, keys.items, keys.index, keys.changes].map((keyOf) => keyOf(sessionId));
    return [keys.leases, keys.incarnations, keys.owners, ...own];
  };
  const asOwner = (sessionId: string) => ({
    mayWrite: () => membership.isJoined() && ownership.fenceOf(sessionId) !== undefined,
    async run(...[script, args]: Parameters<RunAsOwner>): Promise<PublishVerdict> {
      const owner = [membership.nodeId, membership.incarnation(), sessionId, ownership.fenceOf(sessionId) ?? ''];
      const reply = await membership.script(script, sessionKeys(sessionId), [...owner, ...args]);
      return (reply as readonly PublishVerdict[])[0] ?? 'RESET';
    },
  });
  const onError = (error: unknown, sessionId: string): void => {
    if (membership.isJoined()) deps.onError(error, sessionId);
  };

  const replicaOf = (sessionId: string): SessionReplica => {
    const known = replicas.get(sessionId);
    if (known) return known;
    const replica = createSessionReplica({
      look: () =>
        lookAtSession(membership, sessionId, {
          turns: historyTurns,
          bytes: deps.historyBytes,
          recent: recentChanges,
        }),
      isRemote: () => deps.isRemote(sessionId),
      async item(itemId) {
        const found = await membership.script(itemScript, [keys.items(sessionId)], [itemKey(itemId)]);
        const [value, more] = found as readonly [string, string];
        const payload = readItem(value, more);
        return payload && { type: 'session:upsert', payload };
      },
      watch: (fromId, onEntries) => deps.reader.watch(keys.changes(sessionId), fromId, onEntries),
      onUnreadable: () => deps.onUnreadable(sessionId),
      onError: (error) => onError(error, sessionId),
    });
    replicas.set(sessionId, replica);
    return replica;
  };
  const heads = (sessionIds: readonly string[]) =>
    Promise.all(
      sessionIds.map(async (sessionId) => {
        const reply = await membership.run(['HMGET', keys.head(sessionId), 'epoch', 'seq']);
        return [sessionId, ...(reply as readonly [string | null, string | null])] as const;
      }),
    );

  return {
    open(sessionId, source) {
      const feed = local.open(sessionId, source);
      const publisher = createSessionPublisher({
        sessionId,
        bus: local,
        ...asOwner(sessionId),
        newest: (key) => feed.newest(key) ?? source.resolve(key),
        older: (before) => deps.older(sessionId, before),
        mark: deps.markOf(sessionId),
        now: deps.now,
        onFenced: () => deps.onFenced(sessionId),
        onLapsed: () => membership.lapse(),
        onError: (error) => onError(error, sessionId),
      });
      publishers.get(sessionId)?.stop();
      publishers.set(sessionId, publisher);
      drop(sessionId);
      return {
        ...feed,
        get epoch() {
          return feed.epoch;
        },
        // Redis counts as a follower until it has everything, even before its publisher follows: followers keep the
        // session in memory.
        followers() {
          const isFollowing = publisher.isFollowing();
          const isNeeded = !publisher.isIdle() && (isFollowing || membership.isJoined());
          return feed.followers() - (isFollowing ? 1 : 0) + (isNeeded ? 1 : 0);
        },
        close() {
          publisher.stop();
          if (publishers.get(sessionId) === publisher) publishers.delete(sessionId);
          feed.close();
        },
      };
    },
    follow(sessionId, cursor, follower) {
      const isOurs = ownership.ownerElsewhere(sessionId) === undefined;
      const here = isOurs ? local.follow(sessionId, cursor, follower) : null;
      if (here || !deps.isRemote(sessionId)) return here;
      return replicaOf(sessionId).follow(cursor, follower);
    },
    repeat(sessionId, itemId) {
      const isThere = deps.isRemote(sessionId) && replicas.get(sessionId)?.holds(itemId) === true;
      if (!isThere) return local.repeat(sessionId, itemId);
      asked += 1;
      void deps.repeatThere(sessionId, itemId).finally(() => (asked -= 1));
      return true;
    },
    asOwner,
    isOpen: (sessionId) => publishers.has(sessionId),
    wake: (sessionId) => publishers.get(sessionId)?.wake(),
    async removed(sessionId) {
      // If this fails, the next join removes it.
      const remove = () => asOwner(sessionId).run(removeScript, []);
      if (ownership.fenceOf(sessionId) !== undefined) await remove().catch((error) => onError(error, sessionId));
      ownership.forget(sessionId);
    },
    async removeDeleted(isKept) {
      const { nodeId } = membership;
      let cursor = '0';
      do {
        const reply = await membership.run(['HSCAN', keys.owners, cursor, 'COUNT', '1000']);
        const [next, fields] = reply as readonly [string, readonly string[]];
        for (let place = 0; place < fields.length; place += 2) {
          const [sessionId = '', owner = ''] = fields.slice(place, place + 2);
          if (!owner.startsWith(`${nodeId} `) || isKept(sessionId)) continue;
          const args = [nodeId, membership.incarnation(), sessionId, owner.slice(nodeId.length + 1)];
          await membership
            .script(removeScript, sessionKeys(sessionId), args)
            .catch((error: unknown) => deps.onError(error, sessionId));
        }
        cursor = next;
      } while (cursor !== '0');
    },
    async isSettled() {
      if (asked > 0) return false;
      if ([...publishers.values()].some((publisher) => !publisher.isIdle())) return false;
      const all = await heads([...replicas.keys()]);
      return all.every(([sessionId, epoch, seq]) => replicas.get(sessionId)?.isAt(epoch, seq) ?? true);
    },
    async join() {
      for (const [sessionId, epoch, seq] of await heads([...publishers.keys()])) {
        publishers.get(sessionId)?.resume(epoch, seq);
      }
      for (const [sessionId, epoch, seq] of await heads([...replicas.keys()])) {
        replicas.get(sessionId)?.resume(epoch, seq);
      }
    },
    close() {
      clearInterval(sweep);
      for (const publisher of publishers.values()) publisher.stop();
      for (const sessionId of replicas.keys()) drop(sessionId);
    },
  };
}
