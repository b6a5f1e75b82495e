import { randomUUID } from 'node:crypto';
import { fail, ok, type ClusterView, type Result } from '@liminal/contracts';
import type { SessionDirectory } from '../bus/directory.ts';
import { createRedisBus } from './bus/redis-bus.ts';
import { createRedisDirectory } from './bus/redis-directory.ts';
import { createRestingSessions, markOf, storedPage } from './bus/resting-sessions.ts';
import type { SessionBus } from '../bus/session-bus.ts';
import type { Logger } from '../observe/logger.ts';
import type { ProjectService } from '../projects/project-service.ts';
import type { ProviderRegistry } from '../providers/registry.ts';
import type { SessionRoster } from '../sessions/service/session-roster.ts';
import type { SessionService } from '../sessions/service/session-service.ts';
import type { Store } from '../store/store.ts';
import type { ClusterConfig } from './membership/cluster-config.ts';
import { createClusterProjects } from './cluster-projects.ts';
import { createClusterSessions } from './cluster-sessions.ts';
import { createCommandCalls } from './commands/command-calls.ts';
import { ownedNames, type OwnedName } from './commands/commands.ts';
import { createCommandInbox, type Performer } from './commands/command-inbox.ts';
import { keptMap } from './kept-map.ts';
import { createMembership } from './membership/membership.ts';
import { createNodeBook, type NodeRecord, signRecord } from './membership/node-book.ts';
import { createNodeIdentity } from './membership/node-identity.ts';
import { createOwnership } from './membership/ownership.ts';
import { isRefusal } from './redis/explain-redis.ts';
import { createStreamReader } from './redis/stream-reader.ts';
import { createSeal } from './membership/seal.ts';
import { createTakeover } from './takeover/takeover.ts';
import { createUnfinishedTakeovers } from './takeover/unfinished-takeovers.ts';

export type ClusterDeps = {
  readonly config: ClusterConfig;
  readonly store: Store;
  readonly bus: SessionBus;
  readonly directory: SessionDirectory;
  readonly projects: ProjectService;
  readonly registry: ProviderRegistry;
  readonly token: () => string;
  readonly address: () => string;
  readonly version: string;
  readonly historyBytes: number;
  readonly now: () => string;
  readonly log: Logger;
};

type Local = { readonly roster: SessionRoster; readonly sessions: SessionService };
export type Cluster = Awaited<ReturnType<typeof prepareCluster>>;

/** How often to look for sessions that were given back, in lease times. */
const regainLeases = 3;

/** Connects several servers over Redis, with the same interfaces as for one. Nothing happens before `start`. */
export async function prepareCluster(deps: ClusterDeps) {
  const { config, store, log, now, historyBytes } = deps;
  const seal = createSeal(config.secret);
  const identity = createNodeIdentity(store);
  const life = randomUUID();
  const own = (): NodeRecord => ({
    name: config.name,
    address: deps.address(),
    version: deps.version,
    life,
    number: identity.number(),
    ...(config.sharesTokens ? { tokenMark: seal.tokenMark(deps.token()) } : {}),
  });
  /** The last logged reason per session ('' for all), because failed writes are retried many times. */
  const said = new Map<string, string>();
  const onError = (error: unknown, sessionId = ''): void => {
    const reason = isRefusal(error) ? membership.explain(error) : String(error);
    if (said.get(sessionId) === reason) return;
    said.set(sessionId, reason);
    log.warn(
      { err: error, ...(sessionId === '' ? {} : { sessionId }) },
      `Other machines don't get every update. ${reason}`,
    );
  };

  const newerNodes = new Set<string>();
  /** Logged once per machine, because it may send such things all the time. */
  const onUnreadable = (nodeId: string): void => {
    if (newerNodes.has(nodeId)) return;
    newerNodes.add(nodeId);
    log.warn(
      { nodeId },
      `${nodes.nameOf(nodeId)} sends updates that this version doesn't support. Update this machine.`,
    );
  };

  const membership = createMembership({
    config,
    seal,
    ...identity,
    record: () => signRecord(seal, identity.nodeId, own()),
    log,
  });
  const { keys } = membership;
  const inbox = keys.inbox(membership.nodeId);
  const poke = () => membership.run(['XADD', inbox, 'MAXLEN', '~', '1000', '*', 't', 'poke']);
  const vital = new Set([inbox, keys.news]);
  const reader = createStreamReader({ inbox, poke, vital, onError, onBroken: membership.broke });
  const forged = new Set<string>();
  const seen = keptMap<number>(store, 'cluster-nodes-seen');
  const nodes = createNodeBook({
    membership,
    seal,
    own,
    leaseMs: config.leaseMs,
    seen: seen.read(),
    keepSeen: (now) => void seen.write(now).catch(onError),
    onForged(nodeId) {
      if (forged.has(nodeId)) return;
      forged.add(nodeId);
      log.warn({ nodeId }, 'Ignored a machine in Redis whose entry has an invalid or outdated signature.');
    },
  });
  let local: Local | null = null;
  let stopCommands = (): void => {};
  const lost = keptMap<string>(store, 'cluster-sessions-lost');
  const ownership = createOwnership({
    membership,
    own: () => store.sessions().map(({ sessionId }) => sessionId),
    onLost: (sessionId, owner, isSure) => void letGo(sessionId, owner, isSure),
    // Opening it lists it again.
    onRegained: (sessionId) => void local?.roster.get(sessionId),
    lost: lost.read(),
    keepLost: (now) => void lost.write(now).catch(onError),
  });
  const regaining = setInterval(() => {
    if (membership.isJoined()) ownership.regain().catch(onError);
  }, config.leaseMs * regainLeases).unref();
  const unfinished = createUnfinishedTakeovers({ store, ownership });
  const isOurs = (sessionId: string): boolean => ownership.ownerElsewhere(sessionId) === undefined;
  const directory = createRedisDirectory({
    local: deps.directory,
    membership,
    nodes,
    reader,
    ownProjects: () => deps.projects.list(),
    isOurs,
    leaseMs: config.leaseMs,
    onUnreadable,
    onError,
  });
  const calls = createCommandCalls({ membership, nodes, reader, seal, ...config });
  const bus = createRedisBus({
    local: deps.bus,
    membership,
    ownership,
    reader,
    isRemote: (sessionId) => directory.nodeOf(sessionId) !== undefined,
    async older(sessionId, before) {
      const page = await local?.sessions.history(sessionId, { before });
      return page?.ok ? page.value : storedPage(store, sessionId, before, historyBytes);
    },
    markOf: (sessionId) => markOf(store, sessionId),
    async repeatThere(sessionId, itemId) {
      const nodeId = directory.nodeOf(sessionId);
      if (nodeId !== undefined) await calls.call(nodeId, 'repeat', sessionId, itemId);
    },
    onFenced: (sessionId) => claim(sessionId),
    onUnreadable: (sessionId) => onUnreadable(directory.nodeOf(sessionId) ?? ''),
    historyBytes,
    now,
    onError,
  });
  const resting = createRestingSessions({
    store,
    bus,
    membership,
    summaryOf: (sessionId) => deps.directory.get(sessionId),
    historyBytes,
    onError,
  });

  /** Another node has taken over the session, so its agent must stop here. */
  const letGo = async (sessionId: string, owner: string, isSure: boolean): Promise<void> => {
    log.warn({ sessionId, owner }, 'another machine took over this session');
    if (isSure) directory.moved(sessionId, owner);
    await local?.roster.letGo(sessionId).catch((error: unknown) => onError(error, sessionId));
  };
  const claims = new Map<string, Promise<boolean>>();
  /** One at a time: a second claim would invalidate the number that the first one gets. */
  const claim = (sessionId: string): Promise<boolean> => {
    const claimed =
      claims.get(sessionId) ??
      ownership
        .claim(sessionId)
        .catch((error: unknown) => {
          onError(error, sessionId);
          return false;
        })
        .finally(() => claims.delete(sessionId));
    claims.set(sessionId, claimed);
    return claimed;
  };
  const claimAndPublish = async (sessionId: string): Promise<void> => {
    if (await claim(sessionId)) bus.wake(sessionId);
  };
  const known = new Set(store.sessions().map(({ sessionId }) => sessionId));
  deps.directory.follow(({ sessions, removed }) => {
    for (const { sessionId } of sessions) {
      if (known.has(sessionId)) continue;
      known.add(sessionId);
      if (membership.isJoined()) void claimAndPublish(sessionId);
    }
    for (const sessionId of removed) {
      known.delete(sessionId);
      if (store.session(sessionId) === undefined) void bus.removed(sessionId).catch(onError);
    }
  });

  const performer = ({ sessions, roster }: Local): Performer => {
    const owned = (name: OwnedName) => {
      const act = sessions[name] as (...args: readonly unknown[]) => Promise<Result<unknown>>;
      return async (sessionId: string, ...args: readonly unknown[]): Promise<Result<unknown>> =>
        isOurs(sessionId)
          ? act(sessionId, ...args)
          : fail('NODE_UNREACHABLE', 'This session has moved to another machine.');
    };
    return {
      ...(Object.fromEntries(ownedNames.map((name) => [name, owned(name)])) as Pick<Performer, OwnedName>),
      create: (body) => sessions.create(body),
      prepare: (body) => sessions.prepare(body),
      discover: (query) => sessions.discover(query),
      async repeat(sessionId, itemId) {
        // The session may have been unloaded. Loading it sends every reader a new history, which has the item.
        if (isOurs(sessionId)) roster.get(sessionId);
        return deps.bus.repeat(sessionId, itemId) ? ok({}) : fail('ITEM_NOT_FOUND', 'No item has this id.');
      },
    };
  };

  return {
    bus,
    directory,
    view: (): ClusterView => nodes.view(),
    acceptsToken: (token: string): boolean => config.sharesTokens && nodes.knowsToken(seal.tokenMark(token)),
    /** The key of browsers that signed in with this token, here or on another machine. */
    visitorKey: (token: string): string => seal.visitorKey(seal.tokenMark(token)),
    /** The keys of all current tokens, including those of machines that are gone. */
    visitorKeys: (): readonly string[] =>
      [seal.tokenMark(deps.token()), ...(config.sharesTokens ? nodes.tokenMarks() : [])].map(seal.visitorKey),
    /** Call this after this machine's token was rotated. */
    tokenChanged: (): void => membership.recordChanged(),
    /** Called when tokens of other machines may have changed. */
    onTokensChanged: nodes.onLoaded,
    /** Whether a session belongs to another machine. */
    isRemote: (sessionId: string): boolean => directory.nodeOf(sessionId) !== undefined,
    /** Whether everything is published to the others. */
    isSettled: () => membership.isJoined() && resting.isDone(),
    attach(given: Local) {
      local = given;
      stopCommands = () => inbox.stop();
      const inbox = createCommandInbox({ membership, seal, life, perform: performer(given), log });
      // First of all, so a session that another machine took over appears there rather than as deleted.
      membership.onJoin(() => directory.loadOthers());
      membership.onJoin(() => ownership.claimAll());
      membership.onJoin(() => unfinished.giveBackAll());
      membership.onJoin(() => bus.removeDeleted((id) => store.session(id) !== undefined || unfinished.has(id)));
      membership.onJoin(() => calls.join());
      membership.onJoin(() => directory.listOwn());
      membership.onJoin(() => bus.join());
      membership.onJoin(async (lines) => reader.start(lines.reader));
      membership.onJoin((lines) => inbox.join(lines.commands));
      membership.onChange(() => {
        const hasJoined = membership.isJoined() && !wasJoined;
        wasJoined = membership.isJoined();
        if (!hasJoined) return;
        said.clear();
        // Sessions created while we were joining.
        const unclaimed = [...known].filter((id) => isOurs(id) && ownership.fenceOf(id) === undefined);
        void Promise.all(unclaimed.map(claimAndPublish)).then(() => resting.bringAll());
      });
      let wasJoined = false;
      const shared = { directory, nodes, ownership, membership, unfinished };
      const takeOver = createTakeover({ ...deps, ...shared, local: given.sessions });
      return {
        sessions: createClusterSessions({ local: given.sessions, directory, calls, membership, historyBytes }),
        projects: createClusterProjects({ local: deps.projects, directory, nodes, nodeId: membership.nodeId }),
        takeOver,
      };
    },
    start: () => membership.start(),
    /** Stops taking commands from other machines. */
    stopCommands: () => stopCommands(),
    async close(): Promise<void> {
      stopCommands();
      clearInterval(regaining);
      resting.stop();
      reader.stop();
      bus.close();
      await membership.close();
    },
  };
}
