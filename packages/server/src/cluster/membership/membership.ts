import { randomUUID } from 'node:crypto';
import type { Logger } from '../../observe/logger.ts';
import type { ClusterConfig } from './cluster-config.ts';
import type { Seal } from './seal.ts';
import { leaveScript, registerScript, renewScript } from '../redis/node-scripts.ts';
import { explainRedis } from '../redis/explain-redis.ts';
import type { RedisReply } from '../redis/redis-client.ts';
import { redisKeys } from '../redis/redis-keys.ts';
import { createRedisLink, type RedisLines, RedisUserError } from '../redis/redis-link.ts';
import { runScript, type RedisScript } from '../redis/run-script.ts';

/** The version of the data layout in Redis. A node that finds a higher one doesn't join. */
export const layout = 3;

export type MembershipDeps = {
  readonly config: ClusterConfig;
  readonly seal: Seal;
  readonly nodeId: string;
  /** This node's public record, as JSON. */
  readonly record: () => string;
  /**
   * The last registered incarnation of this data directory, then those tried since: Redis may have got any of them. A
   * new one is saved before it is used.
   */
  readonly incarnations: () => readonly string[];
  readonly keepIncarnations: (incarnations: readonly string[]) => Promise<void>;
  readonly log: Logger;
};

export type Standing = { readonly state: 'joined' | 'apart'; readonly reason?: string };
/** Steps that run in this order after every join. The last one must not fail. */
export type JoinStep = (lines: RedisLines) => Promise<void>;
export type Membership = ReturnType<typeof createMembership>;

/**
 * Fractions of the lease time: how often the lease is renewed, and how long it holds. Their sum is below 1, so others
 * notice a lost node within the lease time.
 */
const [renewPart, holdPart] = [0.15, 0.75];
const mostTried = 20;
/** Well below the time after which a silent connection counts as dead. */
const mostRenewMs = 5_000;

/** This node's membership in the cluster. It registers with a lease, renews it, and rejoins after losing it. */
export function createMembership(deps: MembershipDeps) {
  const { config, seal, nodeId, log } = deps;
  const keys = redisKeys();
  const steps: JoinStep[] = [];
  const onChange = new Set<() => void>();
  let lines: RedisLines | null = null;
  let incarnation = '';
  let record = '';
  let standing: Standing = { state: 'apart', reason: "Redis hasn't responded yet." };
  let gone: ReadonlySet<string> = new Set();
  let beat: NodeJS.Timeout | null = null;
  let isClosed = false;
  /** Offset from our monotonic clock to the Redis clock, which all nodes share. */
  let redisAhead = 0;

  const change = (next: Standing): void => {
    const isNews = next.state !== standing.state || next.reason !== standing.reason;
    standing = next;
    if (isNews) for (const listener of onChange) listener();
  };
  const script = (which: RedisScript, scriptKeys: readonly string[], args: readonly (string | number)[]) =>
    lines
      ? runScript(lines.main, which, scriptKeys, args)
      : Promise.reject(new RedisUserError("Redis can't be reached."));
  const holdMs = Math.floor(config.leaseMs * holdPart);

  const register = async (): Promise<void> => {
    const [known, next] = [deps.incarnations(), randomUUID()];
    const [registered = next, ...tried] = known;
    await deps.keepIncarnations([...new Set([registered, ...tried.slice(-mostTried), next])]);
    record = deps.record();
    const args = [nodeId, next, known.join(' '), holdMs, record, layout, seal.proof];
    const reply = await script(registerScript, [keys.leases, keys.incarnations, keys.nodes, keys.cluster], args);
    const [verdict, detail] = reply as readonly string[];
    if (verdict !== 'OK') {
      await deps.keepIncarnations(known);
      throw new RedisUserError(refusal(verdict ?? '', detail ?? ''));
    }
    incarnation = next;
    await deps.keepIncarnations([next]);
  };

  const renew = async (): Promise<void> => {
    try {
      const beforeAsking = performance.now();
      const args = [nodeId, incarnation, holdMs, record];
      const reply = await script(renewScript, [keys.leases, keys.incarnations, keys.nodes], args);
      const [verdict, expired, time] = reply as readonly [string, readonly string[], number];
      if (verdict !== 'OK') return lapse();
      redisAhead = time - beforeAsking;
      if (record !== deps.record()) return link.drop(new RedisUserError("This machine's details changed. It rejoins."));
      const before = gone;
      gone = new Set(expired);
      if (gone.size !== before.size || expired.some((id) => !before.has(id))) {
        for (const listener of onChange) listener();
      }
    } catch (error) {
      if (lines) link.drop(error);
    }
  };
  const lapse = (): void => link.drop(new RedisUserError("This machine's lease expired. It rejoins."));

  /** Ends a join whose connections were lost meanwhile. The next one starts over. */
  const checkLines = (opened: RedisLines): void => {
    if (lines !== opened) throw new RedisUserError("Redis can't be reached.");
  };
  const link = createRedisLink({
    address: { url: config.redisUrl, caFile: config.redisCaFile },
    async onUp(opened) {
      lines = opened;
      await register();
      await renew();
      checkLines(opened);
      // From now on, because the steps may take longer than a short lease holds.
      if (!isClosed) beat = setInterval(() => void renew(), Math.min(config.leaseMs * renewPart, mostRenewMs));
      for (const step of steps) {
        await step(opened);
        checkLines(opened);
      }
      if (isClosed) return;
      change({ state: 'joined' });
      log.info({ nodeId }, 'joined the other machines');
    },
    onDown(reason) {
      lines = null;
      if (beat) clearInterval(beat);
      beat = null;
      if (standing.reason !== reason) log.warn(`Can't reach other machines. ${reason}`);
      change({ state: 'apart', reason });
    },
    onWarning: (sentence) => log.warn(sentence),
  });

  return {
    nodeId,
    keys,
    /** Starts joining, and retries for as long as it takes. */
    start: () => link.start(),
    incarnation: () => incarnation,
    standing: () => standing,
    isJoined: () => standing.state === 'joined',
    /** The time of the Redis clock in milliseconds, the same on every node. */
    time: (): number => Math.round(performance.now() + redisAhead),
    /** Call this when this node's record changed. The node rejoins to publish it. */
    recordChanged: (): void => void (standing.state === 'joined' && renew()),
    /** Nodes whose lease had expired at the last renewal. */
    gone: () => gone,
    script,
    run: (args: readonly string[]): Promise<RedisReply> =>
      lines ? lines.main.run(args) : Promise.reject(new RedisUserError("Redis can't be reached.")),
    /** Call this when Redis reports that our lease has expired. */
    lapse,
    /** Explains a Redis error to the user. */
    explain: (error: unknown): string =>
      error instanceof RedisUserError ? error.message : explainRedis(error, config.redisUrl),
    /** Redis doesn't work as needed: reports the reason and rejoins. */
    broke: (error: unknown): void => link.drop(error),
    /** Call this before the first join. Steps run in the order they are added. */
    onJoin: (step: JoinStep): void => void steps.push(step),
    onChange(listener: () => void): void {
      onChange.add(listener);
    },
    async close(): Promise<void> {
      isClosed = true;
      if (beat) clearInterval(beat);
      // Otherwise the others would notice only when the lease expires.
      if (lines) await script(leaveScript, [keys.leases, keys.incarnations], [nodeId, incarnation]).catch(() => {});
      link.close();
    },
  };
}

function refusal(verdict: string, detail: string): string {
  switch (verdict) {
    case 'NEWER':
      return `Redis is used by machines running a newer version (layout ${detail}, ours is ${layout}). Update this one.`;
    case 'SECRET':
      return 'Redis belongs to machines with another LIMINAL_CLUSTER_SECRET. Set the same one here.';
    case 'TAKEN':
      return 'Another server joined with the identity of this data directory, which may be a copy. Start one of them with its own data directory.';
    default:
      return `Redis responded with ${verdict || 'nothing'} to the registration.`;
  }
}
