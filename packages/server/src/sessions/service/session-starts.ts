import { isDeepStrictEqual } from 'node:util';
import type { Project, SessionInfo, SessionOptions } from '@liminal/contracts';
import type { PreferenceService } from '../../preferences/preference-service.ts';
import type { CliProvider } from '../../providers/provider.ts';
import { listenEarly, type EarlyInfo } from './early-info.ts';
import { chosenOptions, startWithChoices } from './remembered-options.ts';

export type SessionRequest = {
  readonly provider: CliProvider;
  readonly project: Project;
  /** What the person chose for this one session. */
  readonly given: SessionOptions;
};
export type BegunSession = {
  readonly sessionId: string;
  readonly options: SessionOptions;
  /** What its agent has said of itself so far, where somebody has already listened. */
  readonly info: SessionInfo;
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
  /** How long a session that was begun ahead waits to be wanted. */
  readonly preparedMs: number;
  /** How long somebody who asks what a prepared agent offers waits for it to say so. */
  readonly infoMs?: number;
};

const defaultInfoMs = 5000;

export type SessionStarts = ReturnType<typeof createSessionStarts>;

/**
 * Starts agents for new sessions. One may be begun ahead, while a person still chooses: its process, its hooks and its
 * look at the folder then cost nobody any time. It serves only a request that is the same in every point, and not for
 * long: what it saw of the folder grows old.
 */
export function createSessionStarts({ preferences, preparedMs, infoMs = defaultInfoMs }: SessionStartsDeps) {
  let prepared: Prepared | null = null;

  const placeOf = ({ provider, project }: SessionRequest) => ({
    projectId: project.projectId,
    cliType: provider.cliType,
  });
  const begin = async (request: SessionRequest): Promise<BegunSession> => {
    const { provider, project, given } = request;
    const { dir, trusted } = project;
    const { options, started } = await startWithChoices(preferences, placeOf(request), given, (chosen) =>
      provider.createSession({ projectDir: dir, providerOptions: { ...chosen, trusted } }),
    );
    return { sessionId: started.sessionId, options, info: {} };
  };

  /** From now on it is whoever called this that has it. */
  const take = (): Prepared | null => {
    const taken = prepared;
    prepared = null;
    clearTimeout(taken?.timer);
    return taken;
  };
  const end = async (ended: Prepared | null): Promise<void> => {
    ended?.early.stop();
    const begun = await ended?.begun.catch(() => null);
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
    const begun = begin(request).then((session) => {
      early.start(session.sessionId);
      return session;
    });
    // One that could not begin is not kept: the next who asks tries anew.
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
