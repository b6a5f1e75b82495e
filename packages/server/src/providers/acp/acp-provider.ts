import { join } from 'node:path';
import type { DiscoveredSession, ProviderSession } from '@liminal/contracts';
import type { Loose } from '../kit/read-json.ts';
import type { CliProvider, LoadOptions, ProviderOptions, ReplayedHistory } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import type { AcpSession } from './session/acp-session.ts';
import { type AgentDeps, type AgentLimits, defaultLimits } from './connection/agent-deps.ts';
import type { AgentSpec } from './catalogue/agent-spec.ts';
import { createAgentStarts } from './connection/agent-starts.ts';
import { applyChoices } from './session/apply-choices.ts';
import { availabilityOf, findSignIn } from './catalogue/find-agent.ts';
import type { ChoiceKind } from './session/choices.ts';
import { learntCapabilities, learntChoices, type LearntFromAgent } from './session/learnt-capabilities.ts';
import { listExecSessions } from './session/list-exec-sessions.ts';
import { listSessionsInNewProcess, readSessionList } from './session/list-sessions.ts';
import { cannotForkAtTurn, cannotLoad, openSession, type WantedSession } from './session/open-session.ts';
import { projectFolder } from '../kit/project-folder.ts';
import { openFailure } from './connection/failures.ts';
import { createSessionHub, type SessionHub } from '../kit/session-hub.ts';
import { createSessionIds, underOwnIds } from '../kit/session-ids.ts';
import { createStoppableStarts } from '../kit/stoppable-starts.ts';
import { createSessionTable, type SessionEntry } from '../kit/session-table.ts';
import { createSessionLoads } from '../kit/session-loads.ts';

export type AcpProviderDeps = Omit<AgentDeps, 'limits'> & { readonly limits?: Partial<AgentLimits> };

export type AcpProvider = CliProvider & {
  /** The agent's entry changed: sessions opened from now on use the new one. */
  redefine(spec: AgentSpec): void;
};

type AcpSessionEntry = SessionEntry<AcpSession> & { projectDir?: string; history: ReplayedHistory };

const noHistory: ReplayedHistory = { turns: [], entries: [] };

/** The provider for every agent that speaks ACP over stdio; one process per session. */
export function createAcpProvider(given: AgentSpec, { limits, ...rest }: AcpProviderDeps): AcpProvider {
  const deps: AgentDeps = { ...rest, limits: { ...defaultLimits, ...limits } };
  let spec = given;
  let starts = createAgentStarts();
  let initialized: Loose | undefined;
  let choices: LearntFromAgent['choices'];
  const ids = createSessionIds(join(deps.neutralDir, `${encodeURIComponent(given.id)}.sessions.json`), deps.log);
  const sessions = createSessionTable<AcpSession, AcpSessionEntry>({
    agentName: () => spec.name,
    newEntry: () => ({ hub: createSessionHub(deps.log), history: noHistory, isKilled: false }),
    hasCrashed: ({ session }) => !session?.isAlive,
  });
  const listing = new Map<string, Promise<readonly DiscoveredSession[]>>();
  const stoppable = createStoppableStarts();
  let isClosed = false;

  const capabilities = () => learntCapabilities(spec, { initialized, choices });
  const learn = (reported: Loose): void => void (initialized = reported);

  async function open(
    projectDir: string,
    wanted: WantedSession,
    options: ProviderOptions = {},
    signal: AbortSignal,
  ): Promise<ProviderSession> {
    const hubOf = (sessionId: string): SessionHub => sessions.entryOf(sessionId).hub;
    const agent = spec;
    const opened = await openSession({
      spec: agent,
      deps,
      starts,
      projectDir,
      wanted,
      ids,
      signal,
      hubOf,
      onInitialized: learn,
    });
    const { session, history } = opened;
    const { info } = hubOf(session.sessionId);
    choices = learntChoices(info, choices, wanted.kind === 'new');
    try {
      signal.throwIfAborted();
      if (isClosed) throw new ProviderError('SESSION_CREATE_FAILED', 'The server is shutting down.');
      const isNew = wanted.kind === 'new';
      await applyChoices({ spec: agent, session, options, isNew, log: deps.log });
    } catch (error) {
      await session.kill();
      throw error;
    }
    Object.assign(sessions.entryOf(session.sessionId), {
      session,
      history,
      projectDir: opened.projectDir,
      isKilled: false,
    });
    if (agent.notice !== undefined && wanted.kind === 'new') session.note(agent.notice);
    return { sessionId: session.sessionId, cliType: spec.id };
  }

  const loads = createSessionLoads({
    cliType: given.id,
    find: sessions.find,
    remove: sessions.remove,
    open,
    onKill: (entry) => void (entry.history = noHistory),
  });

  async function load(sessionId: string, options: LoadOptions): Promise<ProviderSession> {
    const isOpen = sessions.find(sessionId)?.session?.isAlive ?? false;
    // The agent has already said that it can't, so no process is started to ask again.
    if (!isOpen && initialized && !capabilities().load && !options.unused) throw cannotLoad(spec);
    return loads.load(sessionId, options);
  }

  /** The agent's own id of the point to copy up to; only some agents accept one. */
  function forkPoint(sourceIds: readonly string[]): string {
    if (!spec.capabilities.forkAtTurn) throw cannotForkAtTurn(spec);
    // Source ids are stored with their kind as a prefix.
    const messageId = sourceIds.at(-1)?.replace(/^\w+:/, '');
    if (messageId !== undefined) return messageId;
    throw new ProviderError('NOT_SUPPORTED', `${spec.name} sent nothing in this turn. Choose the previous turn.`);
  }

  async function list(projectDir: string): Promise<readonly DiscoveredSession[]> {
    if (isClosed || !capabilities().discover) return [];
    if (!(await availabilityOf(spec, deps.env['PATH'] ?? '')).available) return [];
    const cwd = await projectFolder(projectDir);
    const begun =
      listing.get(cwd) ?? stoppable.run((signal) => askForAll(cwd, signal)).finally(() => listing.delete(cwd));
    listing.set(cwd, begun);
    return underOwnIds(await begun, ids);
  }

  /** Both lists: the agent's own, and the one only its server knows. */
  async function askForAll(cwd: string, signal: AbortSignal): Promise<readonly DiscoveredSession[]> {
    const { appServer: server } = spec;
    const listed = await askForList(cwd, signal);
    if (server === undefined) return listed;
    // One after the other: two processes starting in a fresh home at once may conflict.
    const executed = await listExecSessions({ spec, deps, server, signal }, cwd).catch((error: unknown) => {
      deps.log.warn({ agent: spec.id, err: error }, "couldn't list the sessions of codex exec");
      return [];
    });
    const known = new Set(listed.map(({ sessionId }) => sessionId));
    return [...listed, ...executed.filter(({ sessionId }) => !known.has(sessionId))];
  }

  async function askForList(cwd: string, signal: AbortSignal): Promise<readonly DiscoveredSession[]> {
    const running = sessions.entries().find(({ session }) => session?.isAlive)?.session;
    if (running) {
      return readSessionList(spec.id, cwd, running.ask).catch((error: unknown) => {
        throw openFailure(error, spec, initialized?.['authMethods']);
      });
    }
    return listSessionsInNewProcess({ spec, deps, starts, signal }, cwd, (reported) => {
      learn(reported);
      return capabilities().discover;
    });
  }

  const choose =
    (kind: ChoiceKind) =>
    async (sessionId: string, value: string): Promise<void> =>
      sessions.open(sessionId).choose(kind, value);

  return {
    ...sessions.calls,
    get cliType() {
      return spec.id;
    },
    get name() {
      return spec.name;
    },
    get capabilities() {
      return capabilities();
    },
    redefine(changed) {
      spec = changed;
      starts = createAgentStarts();
      initialized = undefined;
      choices = undefined;
    },
    availability: () => availabilityOf(spec, deps.env['PATH'] ?? ''),
    signInProgram: () => findSignIn(spec, deps.env['PATH'] ?? ''),
    createSession: ({ projectDir, providerOptions }) =>
      stoppable.run((signal) => open(projectDir, { kind: 'new' }, providerOptions, signal)),
    loadSession: (sessionId, options = {}) => load(sessionId, options),
    sendMessage: async (sessionId, message, options = {}) => sessions.open(sessionId).send(message, options),
    async forkSession(sessionId, options = {}) {
      const messageId = options.turnId === undefined ? undefined : forkPoint(options.sourceIds ?? []);
      // Agents open a copy in their initial mode. It must never have more rights than the session, even if the caller
      // omits the mode.
      const { modeId } = sessions.find(sessionId)?.hub.info ?? {};
      const inherited = { ...(modeId !== undefined && { modeId }), ...options.providerOptions };
      const folder = loads.folderOf(sessionId, options);
      return stoppable.run((signal) => open(folder, { kind: 'fork', sessionId, messageId }, inherited, signal));
    },
    agentIdsOf: (sessionId) => ids.agentIdsOf(sessionId),
    async rebind(sessionId, agentIds) {
      await loads.kill(sessionId);
      ids.replace(sessionId, agentIds);
    },
    listSessions: list,
    killSession: loads.kill,
    forgetSession: loads.forget,
    setModel: choose('model'),
    setMode: choose('mode'),
    setEffort: choose('effort'),
    readHistory: async (sessionId) => sessions.find(sessionId)?.history ?? noHistory,
    async close() {
      isClosed = true;
      loads.abortAll();
      stoppable.stopAll();
      await Promise.all(sessions.entries().map(async ({ session }) => session?.kill()));
      await Promise.allSettled(listing.values());
    },
  };
}
