import { asRecord, asNonEmptyString, isRecord, type Loose } from '../../kit/read-json.ts';
import type { ReplayedHistory } from '../../provider.ts';
import { ProviderError } from '../../provider-error.ts';
import { type AcpSession, createAcpSession } from './acp-session.ts';
import type { AgentDeps } from '../connection/agent-deps.ts';
import type { AgentSpec } from '../catalogue/agent-spec.ts';
import type { AgentStarts } from '../connection/agent-starts.ts';
import { askOrLogIn } from '../connection/ask-or-log-in.ts';
import { createEarlyUpdates } from '../connection/early-updates.ts';
import { AgentRefused, openFailure } from '../connection/failures.ts';
import { readSessionList } from './list-sessions.ts';
import { type OpenAgent, openAgent } from '../connection/open-agent.ts';
import { projectFolder } from '../../kit/project-folder.ts';
import { quirksOf } from '../translate/quirks.ts';
import { createReplay } from '../translate/replay.ts';
import type { SessionHub } from '../../kit/session-hub.ts';
import type { SessionIds } from '../../kit/session-ids.ts';

/** A new session, an earlier one, or a copy of one. */
export type WantedSession =
  | { readonly kind: 'new' }
  /** `messageId`: the last message in the copy, by the agent's own id; everything without it. */
  | { readonly kind: 'fork'; readonly sessionId: string; readonly messageId?: string | undefined }
  | {
      readonly kind: 'load';
      readonly sessionId: string;
      /** Nothing was ever sent to it, so the agent may have no record of it. */
      readonly unused?: boolean;
    };

export type SessionOpening = {
  readonly spec: AgentSpec;
  readonly deps: AgentDeps;
  readonly starts: AgentStarts;
  readonly projectDir: string;
  readonly wanted: WantedSession;
  readonly ids: SessionIds;
  /** Aborts when nobody needs it any more: the process is stopped immediately, whatever it was doing. */
  readonly signal?: AbortSignal | undefined;
  hubOf(sessionId: string): SessionHub;
  /** The agent has reported its capabilities. */
  onInitialized(initialized: Loose): void;
};

export type OpenedSession = {
  readonly session: AcpSession;
  readonly projectDir: string;
  readonly history: ReplayedHistory;
};

const invalidRequest = -32600;
const internalError = -32603;

/** Starts a process and opens a session in it. A failure leaves neither. */
export async function openSession(opening: SessionOpening): Promise<OpenedSession> {
  const { spec, deps, starts, wanted, signal, hubOf } = opening;
  const cwd = await projectFolder(opening.projectDir);
  let session: AcpSession | undefined;
  let outputBytes = (): number => 0;
  const early = createEarlyUpdates(spec.name, deps.limits, () => outputBytes());
  const opened = await starts.run(() =>
    openAgent(
      { spec, deps, cwd, signal },
      {
        update(sessionId, raw) {
          if (!session) early.push(raw);
          else if (session.agentId === sessionId) session.update(raw);
        },
        async request(method, params, signal) {
          if (!session) throw new AgentRefused(invalidRequest, 'No session is open yet');
          return session.request(method, params, signal);
        },
        started(agent) {
          outputBytes = () => agent.outputBytes;
        },
        closed: (end) => session?.closed(end),
      },
    ),
  );
  const { agent, initialized } = opened;
  opening.onInitialized(initialized);

  try {
    const { agentId, answer, isReplayed } = await begin(opening, opened, cwd);
    const said = early.all();
    const sessionId = wanted.kind === 'load' ? wanted.sessionId : agentId;
    const created = createAcpSession({
      spec,
      deps,
      hub: hubOf(sessionId),
      opened,
      sessionId,
      agentId,
      cwd,
      answer: answer,
    });
    session = created;
    const { notesLackIds } = quirksOf(initialized);
    const replay = createReplay({ sessionId, providerId: spec.id, notesLackIds });
    for (const raw of said) {
      if (!isReplayed) created.update(raw);
      else created.learn(replay.update(raw, deps.now()));
    }
    return { session, projectDir: cwd, history: replay.finish(deps.now()) };
  } catch (error) {
    await agent.kill();
    throw openFailure(error, spec, initialized['authMethods'], wanted.kind === 'new' ? undefined : wanted.sessionId);
  }
}

type Begun = { readonly agentId: string; readonly answer: Loose; readonly isReplayed: boolean };

/** Has the agent create, load or fork the session. */
async function begin({ spec, deps, wanted, ids }: SessionOpening, opened: OpenAgent, cwd: string): Promise<Begun> {
  const capabilities = asRecord(opened.initialized['agentCapabilities']);
  const ask = askOrLogIn({ spec, deps, opened });
  const place = { cwd, mcpServers: [] };

  const make = async (method: string, params: object): Promise<Begun> => {
    const answer = await ask(method, { ...place, ...params });
    const agentId = asNonEmptyString(answer['sessionId']);
    if (agentId !== undefined) return { agentId, answer, isReplayed: false };
    throw new ProviderError('PROTOCOL_ERROR', `${spec.name} opened a session without an id.`);
  };
  const load = async (agentId: string): Promise<Begun> => {
    const method = loadMethod(spec, capabilities);
    const answer = await ask(method, { ...place, sessionId: agentId });
    return { agentId, answer, isReplayed: method === 'session/load' };
  };

  /** Some agents only say that something failed: then their own list shows whether the session existed. */
  const isGone = async (error: unknown, agentId: string): Promise<boolean> => {
    if (openFailure(error, spec, [], agentId).code === 'SESSION_NOT_FOUND') return true;
    const canList = isRecord(asRecord(capabilities['sessionCapabilities'])['list']);
    if (!canList || !(error instanceof AgentRefused) || error.code !== internalError) return false;
    const listed = await readSessionList(spec.id, cwd, ask).catch(() => undefined);
    return listed !== undefined && !listed.some((session) => session.sessionId === agentId);
  };

  switch (wanted.kind) {
    case 'new':
      return make('session/new', {});
    case 'fork': {
      const { messageId } = wanted;
      const point =
        messageId === undefined ? {} : { _meta: { jetbrains: { air: { fork: { version: 1, messageId } } } } };
      const copy = await make(forkMethod(spec, capabilities), { sessionId: ids.agentIdOf(wanted.sessionId), ...point });
      // The copy comes without its history; loading adds it.
      return load(copy.agentId);
    }
    case 'load': {
      const { sessionId, unused = false } = wanted;
      try {
        return await load(ids.agentIdOf(sessionId));
      } catch (error) {
        const isImpossible = error instanceof ProviderError && error.code === 'NOT_SUPPORTED';
        if (!(unused && isImpossible) && !(await isGone(error, ids.agentIdOf(sessionId)))) throw error;
        if (!unused) throw new ProviderError('SESSION_NOT_FOUND', `${spec.name} has no session "${sessionId}".`, error);
        const fresh = await make('session/new', {});
        ids.bind(sessionId, fresh.agentId);
        return fresh;
      }
    }
  }
}

function loadMethod(spec: AgentSpec, capabilities: Loose): string {
  if (capabilities['loadSession'] === true) return 'session/load';
  if (isRecord(asRecord(capabilities['sessionCapabilities'])['resume'])) return 'session/resume';
  throw cannotLoad(spec);
}

export const cannotLoad = ({ name }: Pick<AgentSpec, 'name'>): ProviderError =>
  new ProviderError('NOT_SUPPORTED', `${name} can't reopen an earlier session. Start a new one.`);

export const cannotForkAtTurn = ({ name }: Pick<AgentSpec, 'name'>): ProviderError =>
  new ProviderError('NOT_SUPPORTED', `${name} can fork a whole session, but not at an earlier turn.`);

function forkMethod(spec: AgentSpec, capabilities: Loose): string {
  if (isRecord(asRecord(capabilities['sessionCapabilities'])['fork'])) return 'session/fork';
  throw new ProviderError('NOT_SUPPORTED', `${spec.name} can't fork a session.`);
}
