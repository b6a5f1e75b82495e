import { join } from 'node:path';
import type { DiscoveredSession, ProviderSession } from '@liminal/contracts';
import { availabilityOf, findSignIn } from '../acp/catalogue/find-agent.ts';
import { type AgentDeps, type AgentLimits, defaultLimits } from '../acp/connection/agent-deps.ts';
import { AgentRefused, openFailure } from '../acp/connection/failures.ts';
import { projectFolder } from '../kit/project-folder.ts';
import { present } from '../kit/read-json.ts';
import { createSessionHub } from '../kit/session-hub.ts';
import { createSessionIds, underOwnIds } from '../kit/session-ids.ts';
import { createSessionTable, type SessionEntry } from '../kit/session-table.ts';
import { createSessionLoads } from '../kit/session-loads.ts';
import { createStoppableStarts } from '../kit/stoppable-starts.ts';
import type { CliProvider, ProviderOptions } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import { bundledVersion } from './codex-path.ts';
import type { CodexDeps, CodexSpec } from './process/codex-program.ts';
import { createCodexStarts } from './process/codex-starts.ts';
import type { Ask } from './process/open-codex.ts';
import { findTurn, historyOfTurns } from './record/history.ts';
import { askTemporaryCodex, listThreads, mentionsTurn, readTurns } from './record/thread-record.ts';
import type { ChoiceKind } from './session/codex-choices.ts';
import type { CodexSession } from './session/codex-session.ts';
import { openThread, type WantedThread } from './session/open-thread.ts';

export type CodexProviderDeps = Omit<AgentDeps, 'limits'> & { readonly limits?: Partial<AgentLimits> };

type CodexEntry = SessionEntry<CodexSession> & { projectDir?: string };

/** Codex on its own protocol, `codex app-server`; one process per session. */
export function createCodexProvider(spec: CodexSpec, { limits, ...rest }: CodexProviderDeps): CliProvider {
  const deps: CodexDeps = { ...rest, spec, limits: { ...defaultLimits, ...limits } };
  const starts = createCodexStarts();
  // The same file as the adapter uses: a session is the same whichever way it is opened.
  const ids = createSessionIds(join(deps.neutralDir, `${encodeURIComponent(spec.id)}.sessions.json`), deps.log);
  const sessions = createSessionTable<CodexSession, CodexEntry>({
    agentName: () => spec.name,
    newEntry: () => ({ hub: createSessionHub(deps.log), isKilled: false }),
    hasCrashed: ({ session }) => !session?.isAlive,
  });
  const listing = new Map<string, Promise<readonly DiscoveredSession[]>>();
  const stoppable = createStoppableStarts();
  let isClosed = false;

  const sessionOf = (sessionId: string): ProviderSession => ({ sessionId, cliType: spec.id });

  async function open(
    projectDir: string,
    wanted: WantedThread,
    options: ProviderOptions = {},
    signal: AbortSignal,
  ): Promise<ProviderSession> {
    const hubOf = (sessionId: string) => sessions.entryOf(sessionId).hub;
    const { session, projectDir: cwd } = await starts.run(() =>
      openThread({ deps, projectDir, wanted, options, ids, signal, hubOf }),
    );
    if (isClosed || signal.aborted) {
      await session.kill();
      throw new ProviderError('SESSION_CREATE_FAILED', 'The server is shutting down.');
    }
    Object.assign(sessions.entryOf(session.sessionId), { session, projectDir: cwd, isKilled: false });
    return sessionOf(session.sessionId);
  }

  const loads = createSessionLoads({ cliType: spec.id, find: sessions.find, remove: sessions.remove, open });

  /** Asks the session's process, any other open one, or one started only for this. */
  function askSomewhere<T>(sessionId: string, use: (ask: Ask) => Promise<T>): Promise<T> {
    const own = sessions.find(sessionId)?.session;
    const alive = own?.isAlive ? own : sessions.entries().find(({ session }) => session?.isAlive)?.session;
    return alive ? use(alive.ask) : stoppable.run((signal) => starts.run(() => askTemporaryCodex(deps, use, signal)));
  }

  const refused = (error: unknown, sessionId?: string): never => {
    throw openFailure(error, spec, [], sessionId);
  };

  async function list(projectDir: string): Promise<readonly DiscoveredSession[]> {
    if (isClosed || !(await availabilityOf(spec, deps.env['PATH'] ?? '')).available) return [];
    const cwd = await projectFolder(projectDir);
    const begun =
      listing.get(cwd) ??
      askSomewhere('', (ask) => listThreads(ask, spec.id, cwd))
        .catch((error: unknown) => refused(error))
        .finally(() => listing.delete(cwd));
    listing.set(cwd, begun);
    return underOwnIds(await begun, ids);
  }

  async function nativeTurn(sessionId: string, turnId: string): Promise<string> {
    const { turns } = await askSomewhere(sessionId, (ask) => readTurns(ask, ids.agentIdOf(sessionId))).catch(
      (error: unknown) => refused(error, sessionId),
    );
    const found = findTurn(turns, turnId);
    if (found === undefined)
      throw new ProviderError('TURN_NOT_FOUND', `Codex has no turn "${turnId}" in this session.`);
    return found;
  }

  const choose =
    (kind: ChoiceKind) =>
    async (sessionId: string, value: string): Promise<void> =>
      sessions.open(sessionId).choose(kind, value);

  return {
    ...sessions.calls,
    cliType: spec.id,
    name: spec.name,
    capabilities: { ...spec.capabilities, forkAtTurn: true, revert: true },
    async availability() {
      const found = await availabilityOf(spec, deps.env['PATH'] ?? '');
      const version = deps.env['CODEX_PATH'] ? undefined : bundledVersion();
      return found.available ? { ...found, ...present({ version }) } : found;
    },
    signInProgram: () => findSignIn(spec, deps.env['PATH'] ?? ''),
    createSession: ({ projectDir, providerOptions }) =>
      stoppable.run((signal) => open(projectDir, { kind: 'new' }, providerOptions, signal)),
    loadSession: (sessionId, options = {}) => loads.load(sessionId, options),
    sendMessage: async (sessionId, message, options = {}) => sessions.open(sessionId).send(message, options),
    async forkSession(sessionId, { turnId, ...options } = {}) {
      const through = turnId === undefined ? undefined : await nativeTurn(sessionId, turnId);
      // Never more rights than the session has, even if the caller omits the mode.
      const { modeId, isPlanning } = sessions.find(sessionId)?.hub.info ?? {};
      const inherited = { ...present({ modeId, isPlanning }), ...options.providerOptions };
      const folder = loads.folderOf(sessionId, options);
      return stoppable.run((signal) => open(folder, { kind: 'fork', sessionId, through }, inherited, signal));
    },
    agentIdsOf: (sessionId) => ids.agentIdsOf(sessionId),
    async rebind(sessionId, agentIds) {
      await loads.kill(sessionId);
      ids.replace(sessionId, agentIds);
    },
    async revert(sessionId, turnId) {
      const session = sessions.open(sessionId);
      const beforeTurnId = await nativeTurn(sessionId, turnId);
      await session.ask('thread/revert', { threadId: session.threadId, beforeTurnId }).catch((error: unknown) => {
        if (!(error instanceof AgentRefused)) throw error;
        throw new ProviderError('NOT_SUPPORTED', `Codex couldn't undo the turn: ${error.message}`, error);
      });
    },
    listSessions: list,
    killSession: loads.kill,
    forgetSession: loads.forget,
    setModel: choose('model'),
    setMode: choose('mode'),
    setEffort: choose('effort'),
    async readHistory(sessionId, { newestTurns, unused } = {}) {
      const read = askSomewhere(sessionId, (ask) => readTurns(ask, ids.agentIdOf(sessionId), newestTurns));
      // A session that nothing was sent to may have no record.
      const none = { turns: [], hasMore: false };
      const { turns, hasMore } = await read.catch((error: unknown) => (unused ? none : refused(error, sessionId)));
      return { ...historyOfTurns(sessionId, spec.id, turns), hasMore };
    },
    wasReceived: (sessionId, turnId) =>
      askSomewhere(sessionId, (ask) => mentionsTurn(ask, ids.agentIdOf(sessionId), turnId)).catch(() => null),
    async close() {
      isClosed = true;
      loads.abortAll();
      stoppable.stopAll();
      await Promise.all(sessions.entries().map(async ({ session }) => session?.kill()));
      await Promise.allSettled(listing.values());
    },
  };
}
