import { ProviderError } from '../provider-error.ts';
import type { ReplayedHistory } from '../provider.ts';
import { type AcpSession, createAcpSession } from './acp-session.ts';
import type { AgentDeps } from './agent-deps.ts';
import type { AgentSpec } from './agent-spec.ts';
import { availabilityOf } from './availability.ts';
import { AgentRefused, openFailure } from './failures.ts';
import { asRecord, asWord, isRecord, type Loose } from './loose.ts';
import { openAgent } from './open-agent.ts';
import { projectFolder } from './project-folder.ts';
import { createReplay } from './replay.ts';
import type { SessionHub } from './session-hub.ts';

export type SessionOpening = {
  readonly spec: AgentSpec;
  readonly deps: AgentDeps;
  readonly projectDir: string;
  /** The session to load; without it a new one is made. */
  readonly sessionId?: string;
  hubOf(sessionId: string): SessionHub;
};

export type OpenedSession = {
  readonly session: AcpSession;
  readonly projectDir: string;
  readonly history: ReplayedHistory;
};

const invalidRequest = -32600;

/** Starts a process and opens a session in it. A failure leaves neither. */
export async function openSession({
  spec,
  deps,
  projectDir,
  sessionId: wanted,
  hubOf,
}: SessionOpening): Promise<OpenedSession> {
  const cwd = await projectFolder(projectDir);
  const available = await availabilityOf(spec, deps.env['PATH'] ?? '');
  if (!available.available) throw new ProviderError('AGENT_NOT_INSTALLED', available.reason);

  let session: AcpSession | undefined;
  /** What comes before the session is open: a replay, or an agent that speaks before it answers. */
  const early: unknown[] = [];
  const opened = await openAgent(spec, deps, cwd, {
    update(sessionId, raw) {
      if (!session) early.push(raw);
      else if (session.sessionId === sessionId) session.update(raw);
    },
    async request(method, params, signal) {
      if (!session) throw new AgentRefused(invalidRequest, 'No session is open yet');
      return session.request(method, params, signal);
    },
    closed: (end) => session?.closed(end),
  });
  const { agent, initialized } = opened;

  try {
    const method = wanted === undefined ? 'session/new' : loadMethod(spec, asRecord(initialized['agentCapabilities']));
    const params = { cwd, mcpServers: [], ...(wanted !== undefined && { sessionId: wanted }) };
    const { openMs } = deps.limits;
    const tooLate = `${spec.name} did not open the session within ${openMs / 1000} s, so it was stopped.`;
    const told = await opened.ask(method, params, openMs, tooLate);
    const sessionId = wanted ?? asWord(told['sessionId']);
    if (sessionId === undefined)
      throw new ProviderError('PROTOCOL_ERROR', `${spec.name} opened a session without an id.`);
    const hub = hubOf(sessionId);
    const created = createAcpSession({ spec, deps, hub, opened, sessionId, answer: told });
    session = created;
    const replay = createReplay({ sessionId, providerId: spec.id, notesLackIds: spec.notesLackIds });
    for (const raw of early) {
      if (method !== 'session/load') created.update(raw);
      else created.learn(replay.update(raw, deps.now()));
    }
    return { session, projectDir: cwd, history: replay.finish(deps.now()) };
  } catch (error) {
    await agent.kill();
    throw openFailure(error, spec.name, initialized['authMethods'], wanted);
  }
}

function loadMethod(spec: AgentSpec, capabilities: Loose): string {
  if (capabilities['loadSession'] === true) return 'session/load';
  if (isRecord(asRecord(capabilities['sessionCapabilities'])['resume'])) return 'session/resume';
  throw new ProviderError('NOT_SUPPORTED', `${spec.name} cannot open an earlier session again.`);
}
