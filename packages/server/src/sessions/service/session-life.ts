import {
  fail,
  ok,
  type CreateSessionBody,
  type CreateSessionReply,
  type DiscoverQuery,
  type FirstMessage,
  type LoadSessionBody,
  type PatchSessionBody,
  type PrepareSessionBody,
  type Project,
  type Result,
} from '@liminal/contracts';
import { attentionKey } from '@liminal/domain/session/attention';
import type { CliProvider } from '../../providers/provider.ts';
import type { SessionRow } from '../../store/rows.ts';
import { recordAhead } from '../review/record-ahead.ts';
import type { Sent } from '../shell/send-message.ts';
import { answerOnce, attempt } from './attempt.ts';
import { beginSession, createdBefore } from './begin-session.ts';
import { checkMessage } from './sent-message.ts';
import { loadAgent } from './load-agent.ts';
import { mayStartIn, type OpenSession } from './session-roster.ts';
import { confirmMode } from './remembered-options.ts';
import { checkOrigin } from './session-origin.ts';
import { isMarked, marksAfter } from './session-marks.ts';
import { createSessionStarts, type SessionRequest } from './session-starts.ts';
import type { SessionServiceDeps } from './session-service.ts';
import { namePlace, openPlace } from './session-worktrees.ts';

const firstTurns = 100;
/** How many answers to `create` are kept for clients that retry. */
const keptCreates = 200;
const defaultPreparedMs = 60_000;

type SessionLifeDeps = SessionServiceDeps & {
  readonly send: (sessionId: string, body: FirstMessage) => Promise<Result<Sent>>;
};

/** A session, and the client's id of the message it was created with. */
type Created = { readonly reply: CreateSessionReply; readonly messageId: string | undefined };

/** Creates, lists, reopens, names and removes sessions. */
export function createSessionLife(deps: SessionLifeDeps) {
  const { store, roster, projects, worktrees, registry, preferences, now } = deps;

  const starts = createSessionStarts({
    preferences,
    record: (project, keptMs) => recordAhead(deps.git, project, keptMs),
    preparedMs: deps.preparedMs ?? defaultPreparedMs,
  });

  const createOnce = answerOnce<Created>(keptCreates);

  const projectFor = async (body: CreateSessionBody): Promise<Result<Project>> => {
    if (body.projectId !== undefined) return projects.get(body.projectId);
    const added = await projects.add(body.projectDir ?? '');
    return added.ok ? ok(added.value.project) : added;
  };

  const newRow = (sessionId: string, provider: CliProvider, projectId: string): SessionRow => ({
    sessionId,
    cliType: provider.cliType,
    projectId,
    title: '',
    titleSource: 'message',
    createdAt: now(),
    updatedAt: now(),
    archived: false,
    life: 'open',
    lastError: null,
    options: {},
    info: {},
  });

  /** Adds a session that a CLI created itself. */
  const adopt = async (sessionId: string, { cliType, projectId }: LoadSessionBody): Promise<Result<null>> => {
    const sentence = 'No session has this id. To open one that a CLI created, send cliType and projectId.';
    const missing = fail('SESSION_NOT_FOUND', sentence);
    if (cliType === undefined || projectId === undefined) return missing;
    const provider = registry.resolve(cliType);
    const project = projects.get(projectId);
    if (!project.ok) return project;
    const allowed = mayStartIn(provider, project);
    if (!allowed.ok) return allowed;
    const found = await provider.listSessions?.(project.value.dir);
    const discovered = found?.find((session) => session.sessionId === sessionId);
    if (!discovered) return missing;
    const { title, updatedAt } = discovered;
    const row = { ...newRow(sessionId, provider, projectId), title, titleSource: 'agent' as const, updatedAt };
    await store.write([{ type: 'put-session', row }]);
    return ok(null);
  };

  /**
   * Merges turns that only the agent's own record has. The newest come first, so a large record opens immediately;
   * older ones follow in the background. True when readers got a new history.
   */
  const reread = async ({ shell, link }: OpenSession): Promise<boolean> => {
    const { sessionId } = shell;
    const options = roster.loadOptions(shell.row());
    const newest = await link.provider.readHistory?.(sessionId, { ...options, newestTurns: firstTurns });
    if (!newest) return false;
    const isSent = await shell.merge(newest);
    if (!newest.hasMore) return isSent;
    void link.provider
      .readHistory?.(sessionId, options)
      .then((whole) => shell.merge(whole))
      .catch((error: unknown) => deps.onError(error, sessionId));
    return isSent;
  };
  roster.onRecordChanged(
    (opened) => void reread(opened).catch((error: unknown) => deps.onError(error, opened.shell.sessionId)),
  );

  /** Parks the worktree of an archived session, unless something would be lost. */
  const parkPlace = ({ sessionId, place }: SessionRow): void => {
    if (place?.worktreeId === undefined) return;
    worktrees.park(place.worktreeId, {}).catch((error: unknown) => deps.onError(error, sessionId));
  };

  /** The agent and place to start, if allowed. */
  const requestFor = async (body: CreateSessionBody): Promise<Result<SessionRequest>> => {
    const provider = registry.resolve(body.cliType);
    const project = await projectFor(body);
    if (!project.ok) return project;
    const allowed = mayStartIn(provider, project);
    if (!allowed.ok) return allowed;
    const { options: given = {}, confirm } = body;
    const confirmed = confirmMode(given.modeId === undefined ? undefined : { id: given.modeId }, provider, confirm);
    return confirmed.ok ? ok({ provider, project: project.value, given }) : confirmed;
  };

  const create = async (body: CreateSessionBody): Promise<Result<CreateSessionReply>> => {
    const earlier = createdBefore(store, body);
    if (earlier) return ok(earlier);
    const requested = await requestFor(body);
    if (!requested.ok) return requested;
    const { provider, project } = requested.value;
    const { projectId } = project;
    const { startedFrom } = body;
    const origin = startedFrom && checkOrigin(deps, startedFrom, requested.value);
    if (origin && !origin.ok) return origin;
    const chosen = await worktrees.choose(projectId, body.place ?? { kind: 'folder' }, body.clientSessionId);
    if (!chosen.ok) return chosen;
    const tree = chosen.value;
    const request = {
      ...requested.value,
      ...(origin && { given: origin.value.given }),
      ...(tree && { project: { ...project, dir: tree.folder } }),
    };
    const { message, confirm, clientSessionId } = body;
    const checked = message ? await checkMessage(message, provider, request.project.dir) : ok(null);
    if (!checked.ok) return namePlace(checked, tree);
    const row = (sessionId: string): SessionRow => ({
      ...newRow(sessionId, provider, projectId),
      ...(origin && { startedBy: origin.value.startedBy }),
      ...(tree && { place: tree }),
      ...(message && clientSessionId !== undefined && { clientSessionId }),
    });
    const begin = () =>
      beginSession(deps, starts, { request, confirm, tree, message, isForAgent: origin !== undefined, row });
    return namePlace(await attempt(begin), tree);
  };

  return {
    /**
     * The user is about to choose: starts the agent they probably want, without leaving anything behind if they don't.
     */
    prepare: (body: PrepareSessionBody) =>
      attempt(async () => {
        const requested = await requestFor(body);
        if (!requested.ok) return requested;
        const canPrepare = requested.value.provider.capabilities.prepare ?? false;
        const info = canPrepare ? await starts.prepare(requested.value) : starts.expectedInfo(requested.value);
        return ok({ info });
      }),

    create: async (body: CreateSessionBody): Promise<Result<CreateSessionReply>> => {
      const messageId = body.message?.clientMessageId;
      const created = await createOnce(body.clientSessionId, async () => {
        const answer = await create(body);
        return answer.ok ? ok({ reply: answer.value, messageId }) : answer;
      });
      if (!created.ok) return created;
      const { reply } = created.value;
      // Another message for the same new session, such as from a second browser tab, is not a repetition.
      if (!body.message || messageId === undefined || messageId === created.value.messageId) return ok(reply);
      const sent = await deps.send(reply.sessionId, body.message);
      return sent.ok ? ok({ ...reply, turnId: sent.value.turnId }) : sent;
    },

    /** Reopens a session: one that is asleep, was ended, or was created by a CLI. */
    load: (sessionId: string, body: LoadSessionBody) =>
      attempt(async () => {
        if (!roster.has(sessionId)) {
          const adopted = await adopt(sessionId, body);
          if (!adopted.ok) return adopted;
        }
        return roster.with(sessionId, async (opened) => {
          const { shell, link } = opened;
          const allowed = roster.mayStart(shell.row());
          if (!allowed.ok) return allowed;
          const there = await openPlace(worktrees, shell.row());
          if (!there.ok) return there;
          // A session whose record couldn't be read is dead although its agent runs.
          const isOpen = link.isAlive() && shell.session().life === 'open';
          const loaded = isOpen ? ok(false) : await loadAgent(opened, reread);
          if (!loaded.ok) return loaded;
          const handled = await shell.handle({ type: 'open' });
          if (!handled.ok) return handled;
          const isHistorySent = loaded.value;
          if (!isHistorySent) await shell.sendHistory();
          return ok({ sessionId, cliType: shell.row().cliType });
        });
      }),

    discover: ({ projectId }: DiscoverQuery) =>
      attempt(async () => {
        if (!projectId) return fail('PROJECT_ID_REQUIRED', 'Name the project: ?projectId=…');
        const project = projects.get(projectId);
        if (!project.ok) return project;
        const { dir } = project.value;
        // An agent whose record can't be read must not hide the sessions of the others.
        const lists = await Promise.all(
          registry.all().map(async (provider) => (await provider.listSessions?.(dir).catch(() => [])) ?? []),
        );
        return ok({ sessions: lists.flat().filter((session) => !roster.has(session.sessionId)) });
      }),

    patch: (sessionId: string, change: PatchSessionBody) =>
      attempt(() =>
        roster.with(sessionId, async ({ shell }) => {
          if (!isMarked(shell.row().marks, change))
            await shell.patch((row) => ({
              ...row,
              ...(change.title === undefined ? {} : { title: change.title, titleSource: 'person' as const }),
              ...(change.archived === undefined ? {} : { archived: change.archived }),
              marks: marksAfter(row.marks, change, attentionKey(shell.summary())),
            }));
          if (change.archived === true) parkPlace(shell.row());
          return ok(shell.summary());
        }),
      ),

    /** The folder's trust has changed: agents restart under the new rules with the next message. */
    async trustChanged(projectId: string): Promise<void> {
      starts.forget(projectId);
      const inFolder = roster.all().filter(({ shell }) => shell.row().projectId === projectId);
      await Promise.all(inFolder.map(({ shell }) => shell.trustChanged()));
    },

    /** Deletes a session here; the agent's own record of it stays. */
    remove: (sessionId: string) =>
      attempt(() =>
        roster.with(sessionId, async (opened) => {
          const killed = await opened.shell.handle({ type: 'kill' });
          const performed = killed.ok ? await killed.value.performed : ok(null);
          if (!performed.ok) return performed;
          await roster.remove(opened);
          // Its worktree stays, with everything in it.
          await worktrees.detach(sessionId);
          return ok(null);
        }),
      ),
  };
}
