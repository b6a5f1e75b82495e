import { setTimeout as wait } from 'node:timers/promises';
import { AgentRefused, openFailure } from '../../acp/connection/failures.ts';
import { projectFolder } from '../../kit/project-folder.ts';
import { asNonEmptyString, asRecord, type Loose, present } from '../../kit/read-json.ts';
import type { SessionHub } from '../../kit/session-hub.ts';
import type { SessionIds } from '../../kit/session-ids.ts';
import type { ProviderOptions } from '../../provider.ts';
import { ProviderError } from '../../provider-error.ts';
import type { CodexDeps } from '../process/codex-program.ts';
import { openCodex, type OpenCodex } from '../process/open-codex.ts';
import { createChoices } from './codex-choices.ts';
import { codexCommandList } from './codex-commands.ts';
import { type CodexSession, createCodexSession } from './codex-session.ts';
import { readModels } from './models.ts';
import { codexModes, findMode, type CodexMode, threadRights } from './modes.ts';
import { keyInEnvironment, signIn } from './sign-in.ts';

/** A new thread, an earlier one, or a copy of one. */
export type WantedThread =
  | { readonly kind: 'new' }
  /** `through`: Codex's own id of the copy's last turn; all turns without it. */
  | { readonly kind: 'fork'; readonly sessionId: string; readonly through?: string | undefined }
  | { readonly kind: 'load'; readonly sessionId: string; readonly unused: boolean };

export type ThreadOpening = {
  readonly deps: CodexDeps;
  readonly projectDir: string;
  readonly wanted: WantedThread;
  readonly options: ProviderOptions;
  readonly ids: SessionIds;
  /** Aborts when nobody needs it any more: the process is stopped immediately, whatever it was doing. */
  readonly signal?: AbortSignal | undefined;
  hubOf(sessionId: string): SessionHub;
};

export type OpenedThread = { readonly session: CodexSession; readonly projectDir: string };

/** Notifications before the session exists; far more than a start ever sends. */
const mostEarly = 10_000;

/**
 * Details for the page are requested a moment later. Otherwise a message sent together with its session would wait,
 * because Codex keeps a CPU busy with either.
 */
const messageFirstMs = 150;

/** Starts a process and opens a thread in it. A failure leaves neither. */
export async function openThread(opening: ThreadOpening): Promise<OpenedThread> {
  const { deps, wanted, options, signal } = opening;
  const cwd = await projectFolder(opening.projectDir);
  const mode = modeFor(deps, options, wanted);
  let session: CodexSession | undefined;
  const early: { readonly method: string; readonly params: Loose }[] = [];
  const opened = await openCodex(
    { deps, cwd, signal },
    {
      notified(method, params) {
        if (session) session.notified(method, params);
        else if (early.length < mostEarly) early.push({ method, params });
      },
      async asked(method, params, withdrawn) {
        if (!session) throw new AgentRefused(-32600, 'No session is open yet');
        return session.asked(method, params, withdrawn);
      },
      closed: (end) => session?.closed(end),
    },
  );
  try {
    // Immediately, so the thread is ready as early as possible.
    const account = signIn(deps, opened);
    account.catch(() => {});
    // While Codex processes a key it refuses to load its configuration.
    if (keyInEnvironment(deps) !== undefined) await account;
    const begun = begin(opening, opened, cwd, mode);
    begun.catch(() => {});
    const signedIn = await account;
    const { answer, threadId } = await begun;
    const sessionId = wanted.kind === 'load' ? wanted.sessionId : threadId;
    const choices = createChoices(answer, mode);
    if (options.isPlanning !== undefined) choices.plan(options.isPlanning);
    const hub = opening.hubOf(sessionId);
    const isChosen = options.modelId !== undefined || options.effort !== undefined;
    const list = () =>
      opened.ask('model/list', { limit: 200 }).then(readModels, (error: unknown) => {
        // A choice can't be made in a process that is gone.
        if (isChosen && !opened.server.isOpen) throw error;
        return [];
      });
    const afterFirstMessage = wait(messageFirstMs, undefined, { ref: false });
    const listed = isChosen ? list() : afterFirstMessage.then(list);
    if (isChosen) {
      choices.offer(await listed);
      choices.recall(options, wanted.kind === 'new', deps.log);
    }
    const offered = listed.then((models) => choices.offer(models));
    session = createCodexSession({ deps, hub, opened, sessionId, threadId, cwd, choices, offered });
    const title = asNonEmptyString(asRecord(answer['thread'])['name']);
    hub.learn({ ...choices.info(), account: signedIn, commands: codexCommandList({}), ...present({ title }) });
    for (const { method, params } of early) session.notified(method, params);
    void offered.then(() => hub.learn(choices.info()));
    void afterFirstMessage.then(() => learnSkills(opened, hub, cwd));
    return { session, projectDir: cwd };
  } catch (error) {
    await opened.agent.kill();
    throw failureOf(error, deps, wanted);
  }
}

/**
 * The mode a thread is opened with, sent in the request that opens it. A mode that is gone is replaced by the default,
 * in which a user approves; a copy with an unknown mode gets the fewest rights.
 */
function modeFor(deps: CodexDeps, options: ProviderOptions, wanted: WantedThread): CodexMode {
  const found = findMode(options.modeId);
  if (found) return found;
  if (options.modeId !== undefined && wanted.kind === 'new')
    throw new ProviderError('INVALID_REQUEST', `Codex doesn't accept "${options.modeId}" as its mode.`);
  const fallback = wanted.kind === 'fork' ? 'read-only' : deps.spec.defaultModeId;
  const mode = findMode(fallback) ?? findMode('read-only') ?? codexModes[0];
  if (!mode) throw new ProviderError('INTERNAL_ERROR', 'Codex has no modes.');
  return mode;
}

type Begun = { readonly answer: Loose; readonly threadId: string };

/** Has Codex start, resume or fork the thread. */
async function begin(
  { deps, wanted, ids }: ThreadOpening,
  { ask }: OpenCodex,
  cwd: string,
  mode: CodexMode,
): Promise<Begun> {
  const open = async (method: string, params: object): Promise<Begun> => {
    const answer = await ask(method, { cwd, ...threadRights(mode), ...params });
    const threadId = asNonEmptyString(asRecord(answer['thread'])['id']);
    if (threadId !== undefined) return { answer, threadId };
    throw new ProviderError('PROTOCOL_ERROR', `${deps.spec.name} opened a session without an id.`);
  };
  switch (wanted.kind) {
    case 'new':
      return open('thread/start', {});
    case 'fork': {
      const copied = { threadId: ids.agentIdOf(wanted.sessionId), excludeTurns: true };
      return open('thread/fork', { ...copied, ...(wanted.through !== undefined && { lastTurnId: wanted.through }) });
    }
    case 'load': {
      const { sessionId, unused } = wanted;
      try {
        return await open('thread/resume', { threadId: ids.agentIdOf(sessionId), excludeTurns: true });
      } catch (error) {
        if (!unused || failureOf(error, deps, wanted).code !== 'SESSION_NOT_FOUND') throw error;
        const fresh = await open('thread/start', {});
        ids.bind(sessionId, fresh.threadId);
        return fresh;
      }
    }
  }
}

function failureOf(error: unknown, { spec }: CodexDeps, wanted: WantedThread): ProviderError {
  if (error instanceof AgentRefused && /active writer/i.test(error.message)) {
    const message = `${spec.name} has this session open in another process. Close it there, then reopen it here.`;
    return new ProviderError('SESSION_CREATE_FAILED', message, error);
  }
  return openFailure(error, spec, [], wanted.kind === 'new' ? undefined : wanted.sessionId);
}

/** Skills are commands too; listing them must not delay the first message. */
async function learnSkills({ ask }: OpenCodex, hub: SessionHub, cwd: string): Promise<void> {
  const skills = await ask('skills/list', { cwds: [cwd] }).catch(() => undefined);
  if (skills) hub.learn({ commands: codexCommandList(skills) });
}
