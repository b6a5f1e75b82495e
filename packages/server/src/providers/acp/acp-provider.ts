import type { ProviderSession } from '@liminal/contracts';
import type { CliProvider, LoadOptions, ProviderOptions, ReplayedHistory } from '../provider.ts';
import { ProviderError } from '../provider-error.ts';
import type { AcpSession } from './acp-session.ts';
import { type AgentDeps, type AgentLimits, defaultLimits } from './agent-deps.ts';
import type { AgentSpec } from './agent-spec.ts';
import { availabilityOf } from './availability.ts';
import type { ChoiceKind } from './choices.ts';
import { openSession } from './open-session.ts';
import { createSessionHub, type SessionHub } from './session-hub.ts';

export type AcpProviderDeps = Omit<AgentDeps, 'limits'> & { readonly limits?: Partial<AgentLimits> };

/** Every session this provider was asked about: its listeners, and its process while it has one. */
type SessionRecord = {
  readonly hub: SessionHub;
  projectDir?: string;
  session?: AcpSession | undefined;
  history: ReplayedHistory;
  isKilled: boolean;
};

const noHistory: ReplayedHistory = { turns: [], entries: [] };

/** The provider for every agent that speaks ACP over stdio; one process per session. */
export function createAcpProvider(spec: AgentSpec, given: AcpProviderDeps): CliProvider {
  const deps: AgentDeps = { ...given, limits: { ...defaultLimits, ...given.limits } };
  const records = new Map<string, SessionRecord>();
  const loading = new Map<string, Promise<ProviderSession>>();
  let isClosed = false;

  function recordOf(sessionId: string): SessionRecord {
    const known = records.get(sessionId);
    if (known) return known;
    const record: SessionRecord = { hub: createSessionHub(deps.log), history: noHistory, isKilled: false };
    records.set(sessionId, record);
    return record;
  }

  function notFound(sessionId: string): ProviderError {
    return new ProviderError('SESSION_NOT_FOUND', `${spec.name} has no open session "${sessionId}".`);
  }

  function living(sessionId: string): AcpSession {
    const record = records.get(sessionId);
    if (record?.session?.isAlive) return record.session;
    if (record?.isKilled) throw new ProviderError('SESSION_DEAD', 'This session was ended. Open it again to go on.');
    if (!record?.session) throw notFound(sessionId);
    throw new ProviderError('PROCESS_CRASH', `${spec.name} is no longer running. Open the session again to go on.`);
  }

  async function open(
    projectDir: string,
    wanted: string | undefined,
    options: ProviderOptions = {},
  ): Promise<ProviderSession> {
    const hubOf = (sessionId: string): SessionHub => recordOf(sessionId).hub;
    const opened = await openSession({
      spec,
      deps,
      projectDir,
      hubOf,
      ...(wanted !== undefined && { sessionId: wanted }),
    });
    const { session, history } = opened;
    try {
      if (isClosed) throw new ProviderError('SESSION_CREATE_FAILED', 'The server is going down.');
      await applyChoices(session, hubOf(session.sessionId), options);
    } catch (error) {
      await session.kill();
      throw error;
    }
    Object.assign(recordOf(session.sessionId), { session, history, projectDir: opened.projectDir, isKilled: false });
    return { sessionId: session.sessionId, cliType: spec.id };
  }

  /** Again after every load: agents forget what the person chose, and may then approve by themselves. */
  async function applyChoices(session: AcpSession, hub: SessionHub, options: ProviderOptions): Promise<void> {
    const wanted: readonly (readonly [ChoiceKind, string | undefined, () => string | undefined])[] = [
      ['model', options.modelId, () => hub.info.modelId],
      ['mode', options.modeId ?? spec.defaultModeId, () => hub.info.modeId],
      // A model brings its own effort, so it is compared after the model is set.
      ['effort', options.effort, () => hub.info.effort],
    ];
    for (const [kind, value, current] of wanted) {
      if (value !== undefined && value !== current()) await session.choose(kind, value);
    }
  }

  async function load(sessionId: string, options: LoadOptions): Promise<ProviderSession> {
    const known = records.get(sessionId);
    if (known?.session?.isAlive) return { sessionId, cliType: spec.id };
    const projectDir = options.projectDir ?? known?.projectDir;
    if (projectDir === undefined) {
      throw new ProviderError('PROJECT_DIR_INVALID', 'Say in which folder the session is to be opened.');
    }
    const begun = loading.get(sessionId);
    if (begun) return begun;
    const opening = open(projectDir, sessionId, options.providerOptions).finally(() => loading.delete(sessionId));
    loading.set(sessionId, opening);
    return opening;
  }

  const choose =
    (kind: ChoiceKind) =>
    async (sessionId: string, value: string): Promise<void> =>
      living(sessionId).choose(kind, value);

  return {
    cliType: spec.id,
    name: spec.name,
    capabilities: spec.capabilities,
    availability: () => availabilityOf(spec, deps.env['PATH'] ?? ''),
    createSession: ({ projectDir, providerOptions }) => open(projectDir, undefined, providerOptions),
    loadSession: (sessionId, options = {}) => load(sessionId, options),
    sendMessage: async (sessionId, message, options = {}) => living(sessionId).send(message, options),
    async cancelTurn(sessionId) {
      const record = records.get(sessionId);
      if (!record?.session && !record?.isKilled) throw notFound(sessionId);
      await record.session?.cancel();
    },
    async killSession(sessionId) {
      await loading.get(sessionId)?.catch(() => {});
      const record = records.get(sessionId);
      if (!record) return;
      const { session } = record;
      Object.assign(record, { session: undefined, history: noHistory, isKilled: true });
      await session?.kill();
    },
    isAlive: (sessionId) => records.get(sessionId)?.session?.isAlive ?? false,
    onUpsert: (sessionId, listener) => recordOf(sessionId).hub.upserts.listen(listener),
    onTurn: (sessionId, listener) => recordOf(sessionId).hub.turns.listen(listener),
    onClosed: (sessionId, listener) => recordOf(sessionId).hub.closed.listen(listener),
    onPermission: (sessionId, listener) => recordOf(sessionId).hub.permissions.listen(listener),
    onSessionInfo: (sessionId, listener) => recordOf(sessionId).hub.onInfo(listener),
    resolvePermission: async (sessionId, answer) => living(sessionId).answer(answer),
    setModel: choose('model'),
    setMode: choose('mode'),
    setEffort: choose('effort'),
    readHistory: async (sessionId) => records.get(sessionId)?.history ?? noHistory,
    hasBackgroundWork: (sessionId) => records.get(sessionId)?.session?.hasBackgroundWork() ?? false,
    async close() {
      isClosed = true;
      await Promise.all([...records.values()].map(async (record) => record.session?.kill()));
    },
  };
}
