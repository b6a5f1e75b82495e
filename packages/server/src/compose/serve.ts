import { randomBytes, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { fail } from '@liminal/contracts';
import { isBusy } from '@liminal/domain/session/session';
import { isoTime } from '@liminal/domain/time/iso-time';
import { createBridgeTasks } from '../bridge/bridge-tasks.ts';
import { createPrivateAgents } from '../bridge/private-agents.ts';
import { createMemoryDirectory } from '../bus/directory.ts';
import { createMemoryBus } from '../bus/memory/memory-bus.ts';
import { attachSocketRoute } from '../sockets/socket-route.ts';
import { createSocketSession } from '../sockets/socket-session.ts';
import { createCompareService } from '../compare/compare-service.ts';
import { createFileFinder } from '../files/file-finder.ts';
import { listFiles } from '../files/list-files.ts';
import { createGit } from '../git/real-git.ts';
import { buildApp, type OfferedRoute } from '../http/build-app.ts';
import { createPreferenceService } from '../preferences/preference-service.ts';
import { createProjectSettings } from '../preferences/project-settings.ts';
import { createProjectService } from '../projects/project-service.ts';
import { createSessionPlaces } from '../projects/session-places.ts';
import { noInstaller } from '../providers/install-agent.ts';
import { createSearchService } from '../search/search-service.ts';
import { createAgentKeeper } from '../sessions/service/agent-keeper.ts';
import { createItemWriter } from '../sessions/writing/item-writer.ts';
import { askRecord, recoverTurns } from '../sessions/writing/recover.ts';
import { recoverRewinds } from '../sessions/rewind/recover-rewinds.ts';
import { createSessionRoster } from '../sessions/service/session-roster.ts';
import { pruneCheckpoints } from '../sessions/review/prune-checkpoints.ts';
import { createSessionService } from '../sessions/service/session-service.ts';
import { createAccess } from './create-access.ts';
import { createContents } from './create-contents.ts';
import { createTerminals } from './create-terminals.ts';
import { createWorktrees } from './create-worktrees.ts';
import { noticeToolOutput } from './notice-tool-output.ts';
import { diskTrouble } from '../store/store-failure.ts';
import { measureTurns } from '../telemetry/measure-turns.ts';
import { measureWire } from '../telemetry/measure.ts';
import { createReportedEvents } from '../webhooks/webhook-service.ts';
import { type ServeDeps, usualLimits } from './serve-deps.ts';
import { waitUntil } from './wait-until.ts';

export type Served = Awaited<ReturnType<typeof serve>>;

/** Connects sessions, bus, delivery and HTTP with the given store and providers. */
export async function serve(deps: ServeDeps) {
  const { store, token, log, telemetry } = deps;
  const agents = createPrivateAgents(deps.registry);
  const { registry } = agents;
  const limits = { ...usualLimits, ...deps.limits };
  const now = () => isoTime(Date.now());
  const newId = () => randomUUID();
  const ownProjects = createProjectService({ store, now, newId });
  const preferences = createPreferenceService({ store, startedWith: deps.agentEnv ?? [] });
  const ownDirectory = createMemoryDirectory();
  const onSocketError = (error: unknown) => log.warn({ err: error }, 'socket failed');
  const ownBus = noticeToolOutput(
    createMemoryBus({ newEpoch: () => randomBytes(6).toString('base64url'), onError: onSocketError }),
    (sessionId) => toolPrinted(sessionId),
    onSocketError,
  );
  let { port } = deps;
  // Loaded only in a cluster.
  const prepareCluster = deps.cluster && (await import('../cluster/join-cluster.ts')).prepareCluster;
  const cluster =
    deps.cluster &&
    (await prepareCluster?.({
      ...deps,
      config: deps.cluster,
      bus: ownBus,
      directory: ownDirectory,
      projects: ownProjects,
      registry,
      address: () => deps.publicUrl ?? `http://${deps.host}:${port}/`,
      historyBytes: limits.historyBytes,
      now,
    }));
  const { bus, directory } = cluster ?? { bus: ownBus, directory: ownDirectory };
  const writer = createItemWriter({
    store,
    intervalMs: limits.writeBehindMs,
    onError: (error) => log.error({ err: error }, "couldn't write agent output"),
    onWritten: (rows) => {
      for (const row of rows) roster.written(row.sessionId, row);
    },
    onTrouble: (sessionId, error) => roster.setTrouble(sessionId, error === null ? null : diskTrouble(error, now())),
  });
  await recoverTurns({ store, now, wasReceived: (turn) => askRecord(registry, store, turn) });
  const git = deps.git ?? createGit();
  await recoverRewinds({ store, git, registry, log });
  const places = createSessionPlaces({ projects: ownProjects });
  const agentOf = (sessionId: string): string => store.session(sessionId)?.cliType ?? 'unknown';
  const sessionDeps = {
    git,
    newId,
    store,
    writer,
    bus: telemetry === undefined ? bus : measureTurns(bus, { telemetry, agentOf, onError: onSocketError }),
    directory,
    registry,
    projects: ownProjects,
    places,
    now,
    historyBytes: limits.historyBytes,
    recordMs: limits.recordMs,
    onError: (error: unknown, sessionId: string) => log.error({ err: error, sessionId }, 'session task failed'),
    onWoken: () => void keeper.check(),
  };
  const roster = createSessionRoster(sessionDeps);
  const projectSettings = createProjectSettings(store);
  const worktrees = createWorktrees({
    ...sessionDeps,
    ...deps,
    git,
    roster,
    settings: projectSettings,
    terminals: () => terminals.all(),
  });
  const ownSessions = createSessionService({ ...sessionDeps, roster, preferences, worktrees });
  const compares = createCompareService({
    ...sessionDeps,
    worktrees,
    sessions: ownSessions,
    directory: ownDirectory,
    settings: projectSettings,
    undoMs: limits.keepUndoMs,
    onError: (error) => log.error({ err: error }, 'comparison task failed'),
  });
  const joined = cluster?.attach({ roster, sessions: ownSessions });
  const { sessions, projects } = joined ?? { sessions: ownSessions, projects: ownProjects };
  const keeper = createAgentKeeper({
    roster,
    idleMs: deps.idleMs,
    maxLive: deps.maxLiveAgents,
    unusedMs: limits.unusedMs,
    now: () => performance.now(),
    onError: (error) => log.error({ err: error }, "couldn't pause an idle agent"),
  });

  const access = createAccess({ token, host: deps.host, port: () => port, publicUrl: deps.publicUrl, cluster });
  const { guard, origins, visitors, cookieName } = access;
  const maker = deps.agentMaker ?? {};
  const tasks = createBridgeTasks({
    sessions: ownSessions,
    projects: ownProjects,
    agents,
    maker,
    newId,
    now,
    onError: onSocketError,
  });
  const contents = createContents({
    projects,
    worktreeFolder: worktrees.folderOf,
    git,
    trashFolder: deps.trashFolder,
    draftFolder: deps.draftFolder,
    attachmentFolder: deps.attachmentFolder,
    now,
    env: deps.env ?? {},
    log,
  });
  const { terminals, signIn, toolPrinted } = createTerminals({
    openPtys: deps.openPtys,
    projects,
    env: deps.env ?? {},
    signInFolder: deps.signInFolder,
    registry,
    keeper,
    agentOf: (sessionId) =>
      roster
        .all()
        .find(({ shell }) => shell.sessionId === sessionId)
        ?.link.provider.processOf?.(sessionId),
    worktreeFolder: worktrees.folderOf,
    now,
    newId,
    onError: (error) => log.error({ err: error }, "couldn't restart agents after a sign-in"),
  });
  const { events, webhooks } = createReportedEvents({
    ...deps,
    directory,
    newId,
    ownPort: () => port,
    timeoutMs: limits.webhookMs,
    ...(telemetry && { onAttempt: telemetry.webhookSent }),
    backoffMs: limits.webhookBackoffMs,
    onError: (error) => log.error({ err: error }, "couldn't record or deliver an event for webhooks"),
  });
  const search = createSearchService({ store, directory, projects });
  const fileFinder = createFileFinder({ list: (folder, trusted) => listFiles(folder, trusted ? git : null) });
  const home = deps.home ?? homedir();
  const routes: OfferedRoute[] = [];
  const app = await buildApp({
    ...deps,
    guard,
    origins,
    visitors,
    cookieName,
    httpLimits: limits,
    onRoute: (route) => routes.push(route),
    rotateToken: deps.rotateToken ?? (() => fail('NOT_SUPPORTED', "This server's token can't be rotated.")),
    revokeSockets: () => {
      cluster?.tokenChanged();
      return sockets.revoke(4401, 'Token rotated.');
    },
    sessions,
    projects,
    events,
    webhooks,
    search,
    fileFinder,
    contents,
    terminals,
    signIn,
    installer: deps.installer ?? noInstaller,
    preferences,
    projectSettings,
    worktrees,
    compares,
    home,
    cluster: cluster && joined ? { view: cluster.view, takeOver: joined.takeOver } : null,
  });
  const sockets = attachSocketRoute({
    server: app.server,
    admit: (request) => access.admitUpgrade(request),
    recheck: (request) => access.recheckUpgrade(request),
    createSession: (wire) => {
      const page = newId();
      return createSocketSession({
        wire: telemetry === undefined ? wire : measureWire(wire, telemetry),
        bus,
        directory,
        open: (sessionId) => cluster?.isRemote(sessionId) === true || roster.get(sessionId).ok,
        // This server can't watch a folder on another machine. The page refreshes on focus and at the end of a turn.
        watchChanges: (sessionId, isShown) =>
          void (cluster?.isRemote(sessionId) === true || roster.watchChanges(sessionId, page, isShown)),
        maxOutboxBytes: limits.maxOutboxBytes,
        tasks,
        terminals,
        worktrees,
        compares,
        onError: onSocketError,
      });
    },
    heartbeatMs: limits.heartbeatMs,
    onError: onSocketError,
  });

  cluster?.onTokensChanged(() => sockets.revoke(4401, 'Token rotated.')());

  return {
    app,
    /** All HTTP routes, including those added later. */
    routes,
    bus,
    /** The connection to the other machines, in a cluster. */
    cluster,
    roster,
    sessions,
    keeper,
    terminals,
    writer,
    sockets,
    /** Removes checkpoints beyond their limits and resolves with the number removed. */
    pruneCheckpoints: () => pruneCheckpoints({ store, git, places, now: Date.now }),
    dropOldTrash: contents.dropOldTrash,
    /** Resolves with the port it listens on. */
    async listen(): Promise<number> {
      await app.listen({ port: deps.port, host: deps.host });
      ({ port } = app.server.address() as AddressInfo);
      keeper.start(limits.keeperMs);
      cluster?.start();
      webhooks.start();
      return port;
    },
    /** Stops accepting requests and writes everything to disk. Leaves the store open, because the caller owns it. */
    async close(): Promise<void> {
      keeper.stop();
      events.close();
      roster.rest();
      await waitUntil(() => !roster.all().some(({ shell }) => isBusy(shell.session())), limits.lastChanceMs);
      sockets.closeAll(1001, 'The server is shutting down.');
      await app.close();
      // A candidate that is starting waits for its worktree's setup command, which only closing the worktrees cancels.
      await Promise.all([compares.close(), worktrees.close()]);
      await terminals.close();
      const closed = await Promise.allSettled(registry.all().map((provider) => provider.close()));
      for (const end of closed)
        if (end.status === 'rejected') log.error({ err: end.reason }, "agent process didn't end");
      await Promise.all(roster.all().map(({ shell }) => shell.settled()));
      await writer.close();
      await webhooks.close();
      await cluster?.close();
    },
  };
}
