import {
  ok,
  type CreateSessionBody,
  type CreateSessionReply,
  type FirstMessage,
  type Result,
  type SessionPlace,
} from '@liminal/contracts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { SessionRow } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import type { RecordedAhead } from '../review/record-ahead.ts';
import type { Sent } from '../shell/send-message.ts';
import { keepBeside, messagesUnder } from './sent-message.ts';
import type { SessionServiceDeps } from './session-service.ts';
import { dropSession, type SessionRequest, type SessionStarts } from './session-starts.ts';
import { startConfirmed } from './start-confirmed.ts';

export type WantedSession = {
  readonly request: SessionRequest;
  readonly confirm: boolean | undefined;
  readonly tree: SessionPlace | null;
  readonly message: FirstMessage | undefined;
  /** Requested by an agent: its choices don't become the defaults of the user's next session. */
  readonly isForAgent: boolean;
  row(sessionId: string): SessionRow;
};

/** Starts a new session: its agent, its row on disk, and its first message if the request has one. */
export async function beginSession(
  deps: SessionServiceDeps,
  starts: SessionStarts,
  wanted: WantedSession,
): Promise<Result<CreateSessionReply>> {
  const { preferences, places, worktrees } = deps;
  const { request, tree } = wanted;
  const { provider, project } = request;
  const { projectId } = project;
  const starting = startConfirmed(starts, preferences, request, wanted.confirm);
  // Runs while the agent starts, so nobody waits for it.
  const reading = places.read({ projectId, ...(tree && { place: tree }) });
  reading.catch(() => {});
  const started = await starting;
  if (!started.ok) return started;
  const { sessionId, options, info, ahead } = started.value.begun;
  const row = { ...wanted.row(sessionId), options, info };
  const remember = wanted.isForAgent ? null : preferences.remember(projectId, provider.cliType, started.value.lasting);
  const adding = wanted.message ? addWithMessage(deps, row, ahead, wanted) : addAlone(deps, row, ahead, request);
  const [added, place] = await Promise.all([adding, reading, remember]).catch(async (error: unknown) => {
    ahead?.stop();
    await deps.roster.letGo(sessionId);
    await dropSession(provider, sessionId);
    throw error;
  });
  if (tree?.worktreeId !== undefined) await worktrees.attach(tree.worktreeId, sessionId);
  deps.onWoken?.();
  const { turnId } = added;
  return ok({ sessionId, cliType: provider.cliType, projectId, ...(place && { place }), ...(turnId && { turnId }) });
}

/**
 * The session that the same request created before a restart. Its message was sent then: a client that missed the
 * answer must not send it twice.
 */
export function createdBefore(
  store: Pick<Store, 'session' | 'turnsOfClientMessage'>,
  { clientSessionId, message }: CreateSessionBody,
): CreateSessionReply | undefined {
  if (clientSessionId === undefined || message?.clientMessageId === undefined) return undefined;
  for (const { sessionId, turnId } of store.turnsOfClientMessage(message.clientMessageId)) {
    const row = store.session(sessionId);
    if (row?.clientSessionId !== clientSessionId) continue;
    const { cliType, projectId, place } = row;
    return { sessionId, cliType, projectId, ...(place && { place }), turnId };
  }
  return undefined;
}

type Added = { readonly turnId?: string };

async function addAlone(
  { store, roster, projects }: SessionServiceDeps,
  row: SessionRow,
  ahead: RecordedAhead | null,
  request: SessionRequest,
): Promise<Added> {
  await store.write([{ type: 'put-session', row }]);
  const { shell, checkpoints } = roster.add(row);
  if (ahead) checkpoints.adopt(ahead);
  // The agent was started under the rules at the time of the request.
  if (isTrustOther(projects, request)) await shell.trustChanged();
  return {};
}

/** Writes session and message together, before the agent gets any of it. */
async function addWithMessage(
  deps: SessionServiceDeps,
  row: SessionRow,
  ahead: RecordedAhead | null,
  { message, request }: WantedSession,
): Promise<Added> {
  const { content = '', images = [], mentions = [], clientMessageId = null } = message ?? {};
  const first = messagesUnder(deps)(content, images);
  const { promise: sent, resolve } = Promise.withResolvers<Result<Sent>>();
  deps.roster.add(row, ({ shell, checkpoints }) => {
    if (ahead) checkpoints.adopt(ahead);
    // The agent was started under the rules at the time of the request; the message is sent under the current ones.
    if (isTrustOther(deps.projects, request)) void shell.trustChanged();
    const beside = (turnId: string) => keepBeside(row.sessionId, turnId, { images, mentions }, deps.now());
    resolve(shell.send(first, clientMessageId, 'send', beside));
  });
  const result = await sent;
  if (!result.ok) throw new ProviderError(result.failure.code, result.failure.message);
  return { turnId: result.value.turnId };
}

const isTrustOther = (projects: SessionServiceDeps['projects'], { project }: SessionRequest): boolean => {
  const now = projects.get(project.projectId);
  return !now.ok || now.value.trusted !== project.trusted;
};
