import { isDeepStrictEqual } from 'node:util';
import type { Project, SessionInfo, SessionOptions } from '@liminal/contracts';
import type { PreferenceService } from '../../preferences/preference-service.ts';
import type { CliProvider } from '../../providers/provider.ts';
import type { RecordedAhead } from '../review/record-ahead.ts';
import { listenEarly, type EarlyInfo } from './early-info.ts';
import { chosenOptions, startWithChoices } from './remembered-options.ts';

export type SessionRequest = {
  readonly provider: CliProvider;
  readonly project: Project;
  /** The user's choices for this session only. */
  readonly given: SessionOptions;
};
export type BegunSession = {
  readonly sessionId: string;
  readonly options: SessionOptions;
  /** What its agent has reported about itself so far, if somebody was listening. */
  readonly info: SessionInfo;
  /** Its folder as recorded when the agent started; null if no message waits for that. */
  readonly ahead: RecordedAhead | null;
};

type Prepared = {
  readonly request: SessionRequest;
  readonly options: SessionOptions;
  readonly begun: Promise<BegunSession>;
  readonly early: EarlyInfo;
  readonly timer: NodeJS.Timeout;
};

export type SessionStartsDeps = {
  readonly preferences: PreferenceService;
  /** Records a folder, and keeps the record for `keptMs` in case a message is sent soon. */
  readonly record: (project: Project, keptMs?: number) => RecordedAhead;
  /** How long a prepared session waits to be used. */
  readonly preparedMs: number;
  /** How long a caller waits for a prepared agent to report its options. */
  readonly infoMs?: number;
};

const defaultInfoMs = 5000;

export type SessionStarts = ReturnType<typeof createSessionStarts>;

/**
 * Starts agents for new sessions. One may be prepared while the user is still choosing, to hide the time its process,
 * hooks and scan of the folder take. It serves only an identical request, and not for long, because its view of the
 * folder grows old.
 */
export function createSessionStarts({ preferences, record, preparedMs, infoMs = defaultInfoMs }: SessionStartsDeps) {
  let prepared: Prepared | null = null;

  const placeOf = ({ provider, project }: SessionRequest) => ({
    projectId: project.projectId,
    cliType: provider.cliType,
  });
  const begin = async (request: SessionRequest, recordMs?: number): Promise<BegunSession> => {
    const { provider, project, given } = request;
    const { dir, trusted } = project;
    const starting = startWithChoices(preferences, placeOf(request), given, (chosen) =>
      provider.createSession({ projectDir: dir, providerOptions: { ...chosen, trusted } }),
    );
    // If the agent's tool calls wait for the record, its message doesn't have to.
    const ahead = provider.beforeToolCall ? null : record(project, recordMs);
    const { options, started } = await starting.catch((error: unknown) => {
      ahead?.stop();
      throw error;
    });
    return { sessionId: started.sessionId, options, info: {}, ahead };
  };

  /** Hands the prepared session over to the caller. */
  const take = (): Prepared | null => {
    const taken = prepared;
    prepared = null;
    clearTimeout(taken?.timer);
    return taken;
  };
  const end = async (ended: Prepared | null): Promise<void> => {
    ended?.early.stop();
    const begun = await ended?.begun.catch(() => null);
    begun?.ahead?.stop();
    if (ended && begun) await dropSession(ended.request.provider, begun.sessionId);
  };
  const isFor = (request: SessionRequest): boolean =>
    prepared !== null &&
    prepared.request.provider === request.provider &&
    prepared.request.project.dir === request.project.dir &&
    prepared.request.project.trusted === request.project.trusted;

  const optionsFor = (request: SessionRequest): SessionOptions =>
    chosenOptions(preferences, placeOf(request), request.given);

  /** Prepares a session, or keeps the prepared one while the request stays the same. */
  const keep = (request: SessionRequest): Prepared => {
    const options = optionsFor(request);
    if (prepared && isFor(request) && isDeepStrictEqual(prepared.options, options)) {
      prepared.timer.refresh();
      return prepared;
    }
    void end(take());
    const early = listenEarly(request.provider);
    const begun = begin(request, preparedMs).then((session) => {
      early.start(session.sessionId);
      return session;
    });
    // A failed start isn't kept: the next request tries again.
    begun.catch(() => prepared?.begun === begun && take());
    const timer = setTimeout(() => void end(take()), preparedMs);
    timer.unref();
    prepared = { request, options, begun, early, timer };
    return prepared;
  };

  return {
    /** The options of a session that isn't prepared: the last choices. */
    expectedInfo: (request: SessionRequest): SessionInfo => choicesIn(optionsFor(request)),
    /** Prepares a session, and returns the agent's options once it reports them. Throws if the agent can't start. */
    async prepare(request: SessionRequest): Promise<SessionInfo> {
      const { begun, early } = keep(request);
      const { options } = await begun;
      const offered = await early.first(request.provider.capabilities.models ? infoMs : 0);
      return { ...choicesIn(options), ...offered };
    },
    async start(request: SessionRequest): Promise<BegunSession> {
      const taken = isFor(request) ? take() : null;
      const begun = await taken?.begun.catch(() => null);
      const matches = isDeepStrictEqual(begun?.options, optionsFor(request));
      if (taken && begun && matches && request.provider.isAlive(begun.sessionId))
        return { ...begun, info: taken.early.stop() };
      void end(taken);
      const fresh = await begin(request);
      const early = listenEarly(request.provider);
      early.start(fresh.sessionId);
      return { ...fresh, info: early.stop() };
    },
    /** The folder's trust changed: drops a session prepared under the old rules. */
    forget(projectId: string): void {
      if (prepared?.request.project.projectId === projectId) void end(take());
    },
  };
}

/** Ends a session that nobody will use. Its provider keeps nothing of it. */
export const dropSession = (provider: CliProvider, sessionId: string): Promise<void> =>
  provider.forgetSession?.(sessionId) ?? provider.killSession(sessionId);

const choicesIn = ({ modelId, modeId, effort }: SessionOptions): SessionInfo => ({
  ...(modelId !== undefined && { modelId }),
  ...(modeId !== undefined && { modeId }),
  ...(effort !== undefined && { effort }),
});
