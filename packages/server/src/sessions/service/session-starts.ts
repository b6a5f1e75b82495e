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
  /** What the user chose for this one session. */
  readonly given: SessionOptions;
};
export type BegunSession = {
  readonly sessionId: string;
  readonly options: SessionOptions;
  /** What its agent has said of itself so far, where somebody has already listened. */
  readonly info: SessionInfo;
  /** Its folder as it was when the agent began; null where no message waits for that. */
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
  /** Records a folder, for that long, for a message that is sent to it soon. */
  readonly record: (project: Project, keptMs?: number) => RecordedAhead;
  /** How long a session that was prepared waits to be wanted. */
  readonly preparedMs: number;
  /** How long somebody who asks what a prepared agent offers waits for it to say so. */
  readonly infoMs?: number;
};

const defaultInfoMs = 5000;

export type SessionStarts = ReturnType<typeof createSessionStarts>;

/**
 * Starts agents for new sessions. One may be prepared, while a user still chooses: its process, its hooks and its
 * look at the folder then cost nobody any time. It serves only a request that is the same in every point, and not for
 * long: what it saw of the folder grows old.
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
    // An agent whose tool calls wait gets its message without a record.
    const ahead = provider.beforeToolCall ? null : record(project, recordMs);
    const { options, started } = await starting.catch((error: unknown) => {
      ahead?.stop();
      throw error;
    });
    return { sessionId: started.sessionId, options, info: {}, ahead };
  };

  /** From now on it belongs to the caller. */
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
    if (begun) await ended?.request.provider.killSession(begun.sessionId);
  };
  const isFor = (request: SessionRequest): boolean =>
    prepared !== null &&
    prepared.request.provider === request.provider &&
    prepared.request.project.dir === request.project.dir &&
    prepared.request.project.trusted === request.project.trusted;

  const optionsFor = (request: SessionRequest): SessionOptions =>
    chosenOptions(preferences, placeOf(request), request.given);

  /** Begins ahead, or keeps what has begun: it serves as long as the request stays the same. */
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
    // One that could not begin is not kept: the next who asks tries again.
    begun.catch(() => prepared?.begun === begun && take());
    const timer = setTimeout(() => void end(take()), preparedMs);
    timer.unref();
    prepared = { request, options, begun, early, timer };
    return prepared;
  };

  return {
    /** What a session would start with that nobody begins ahead: what was chosen last. */
    expectedInfo: (request: SessionRequest): SessionInfo => choicesIn(optionsFor(request)),
    /** Begins ahead, and returns what the agent offers once it says so. Throws where the agent cannot start. */
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
    /** The folder's trust changed: what was begun under other rules is not wanted any more. */
    forget(projectId: string): void {
      if (prepared?.request.project.projectId === projectId) void end(take());
    },
  };
}

const choicesIn = ({ modelId, modeId, effort }: SessionOptions): SessionInfo => ({
  ...(modelId !== undefined && { modelId }),
  ...(modeId !== undefined && { modeId }),
  ...(effort !== undefined && { effort }),
});
