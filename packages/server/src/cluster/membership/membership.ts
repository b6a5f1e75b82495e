import { randomUUID } from 'node:crypto';
import type { Logger } from '../../observe/logger.ts';
import type { ClusterConfig } from './cluster-config.ts';
import type { Seal } from './seal.ts';
import { leaveScript, registerScript, renewScript } from '../redis/node-scripts.ts';
import { explainRedis } from '../redis/explain-redis.ts';
import type { RedisReply } from '../redis/redis-client.ts';
import { redisKeys } from '../redis/redis-keys.ts';
import { createRedisLink, type RedisLines, RedisObstacle } from '../redis/redis-link.ts';
import { runScript, type RedisScript } from '../redis/run-script.ts';

/** The shape of what we keep in Redis. A node that finds a higher one does not join. */
export const layout = 3;

export type MembershipDeps = {
  readonly config: ClusterConfig;
  readonly seal: Seal;
  readonly nodeId: string;
  /** What others are to know of this node, as JSON. */
  readonly record: () => string;
  /** The incarnation this data directory last had; a new one is kept before it is used. */
  readonly lastIncarnation: () => string;
  readonly keepIncarnation: (incarnation: string) => Promise<void>;
  readonly log: Logger;
};

export type Standing = { readonly state: 'joined' | 'apart'; readonly reason?: string };
/** Done in this order whenever we have joined; the last of them may not fail. */
export type JoinStep = (lines: RedisLines) => Promise<void>;
export type Membership = ReturnType<typeof createMembership>;

/** Of the lease time: so often it is renewed, and so long it holds; what is lost is noticed within the whole of it. */
const [renewPart, holdPart] = [0.15, 0.75];

/** This node's place among the others: registered under a lease it renews, and joined again whenever that was lost. */
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
  /** How far the clock of Redis, which all nodes share, is ahead of our steady one. */
  let redisAhead = 0;

  const change = (next: Standing): void => {
    const isNews = next.state !== standing.state || next.reason !== standing.reason;
    standing = next;
    if (isNews) for (const listener of onChange) listener();
  };
  const script = (which: RedisScript, scriptKeys: readonly string[], args: readonly (string | number)[]) =>
    lines
      ? runScript(lines.main, which, scriptKeys, args)
      : Promise.reject(new RedisObstacle("Redis can't be reached."));
  const holdMs = Math.floor(config.leaseMs * holdPart);

  const register = async (): Promise<void> => {
    const [before, next] = [deps.lastIncarnation(), randomUUID()];
    await deps.keepIncarnation(next);
    record = deps.record();
    const args = [nodeId, next, before, holdMs, record, layout, seal.proof];
    const reply = await script(registerScript, [keys.leases, keys.incarnations, keys.nodes, keys.cluster], args);
    const [verdict, detail] = reply as readonly string[];
    if (verdict !== 'OK') {
      await deps.keepIncarnation(before);
      throw new RedisObstacle(refusal(verdict ?? '', detail ?? ''));
    }
    incarnation = next;
  };

  const renew = async (): Promise<void> => {
    try {
      const beforeAsking = performance.now();
      const args = [nodeId, incarnation, holdMs, record];
      const reply = await script(renewScript, [keys.leases, keys.incarnations, keys.nodes], args);
      const [verdict, expired, time] = reply as readonly [string, readonly string[], number];
      if (verdict !== 'OK') return lapse();
      redisAhead = time - beforeAsking;
      if (record !== deps.record())
        return link.drop(new RedisObstacle('Other machines get updates from this one again.'));
      const before = gone;
      gone = new Set(expired);
      if (gone.size !== before.size || expired.some((id) => !before.has(id))) {
        for (const listener of onChange) listener();
      }
    } catch (error) {
      if (lines) link.drop(error);
    }
  };
  const lapse = (): void => link.drop(new RedisObstacle("This machine's lease expired. It rejoins."));

  const link = createRedisLink({
    address: { url: config.redisUrl, caFile: config.redisCaFile },
    async onUp(opened) {
      lines = opened;
      await register();
      await renew();
      for (const step of steps) await step(opened);
      beat = setInterval(() => void renew(), config.leaseMs * renewPart);
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
    /** Begins to join, for as long as it takes. */
    start: () => link.start(),
    incarnation: () => incarnation,
    standing: () => standing,
    isJoined: () => standing.state === 'joined',
    /** The time by the clock of Redis, in milliseconds: the same on every node, whatever their own clocks say. */
    time: (): number => Math.round(performance.now() + redisAhead),
    /** What others are to know of this node has changed: the others are informed now. */
    recordChanged: (): void => void (standing.state === 'joined' && renew()),
    /** Nodes whose lease has run out, as of the last beat. */
    gone: () => gone,
    script,
    run: (args: readonly string[]): Promise<RedisReply> =>
      lines ? lines.main.run(args) : Promise.reject(new RedisObstacle("Redis can't be reached.")),
    /** Somebody saw that our lease is no more. */
    lapse,
    /** What is wrong with Redis, for people. */
    explain: (error: unknown): string =>
      error instanceof RedisObstacle ? error.message : explainRedis(error, config.redisUrl),
    /** What we need of Redis does not work: we say why, and join again. */
    broke: (error: unknown): void => link.drop(error),
    /** To be called before the first join, in the order they are to be done. */
    onJoin: (step: JoinStep): void => void steps.push(step),
    onChange(listener: () => void): void {
      onChange.add(listener);
    },
    async close(): Promise<void> {
      if (beat) clearInterval(beat);
      // Others see at once that we went; without it they would wait for the lease.
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
