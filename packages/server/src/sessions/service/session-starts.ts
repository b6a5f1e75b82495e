import { isDeepStrictEqual } from 'node:util';
import type { Project, SessionInfo, SessionOptions } from '@liminal/contracts';
import type { PreferenceService } from '../../preferences/preference-service.ts';
import type { CliProvider } from '../../providers/provider.ts';
import { listenEarly, type EarlyInfo } from './early-info.ts';
import { chosenOptions, startWithChoices } from './remembered-options.ts';

export type SessionWish = {
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
  readonly wish: SessionWish;
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
 * look at the folder then cost nobody any time. It serves only a wish that is the same in every point, and not for long:
 * what it saw of the folder grows old.
 */
export function createSessionStarts({ preferences, preparedMs, infoMs = defaultInfoMs }: SessionStartsDeps) {
  let prepared: Prepared | null = null;

  const placeOf = ({ provider, project }: SessionWish) => ({ projectId: project.projectId, cliType: provider.cliType });
  const begin = async (wish: SessionWish): Promise<BegunSession> => {
    const { provider, project, given } = wish;
    const { dir, trusted } = project;
    const { options, started } = await startWithChoices(preferences, placeOf(wish), given, (chosen) =>
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
    if (begun) await ended?.wish.provider.killSession(begun.sessionId);
  };
  const isFor = (wish: SessionWish): boolean =>
    prepared !== null &&
    prepared.wish.provider === wish.provider &&
    prepared.wish.project.dir === wish.project.dir &&
    prepared.wish.project.trusted === wish.project.trusted;

  const optionsFor = (wish: SessionWish): SessionOptions => chosenOptions(preferences, placeOf(wish), wish.given);

  /** Begins ahead, or keeps what has begun: it serves as long as the wish stays the same. */
  const keep = (wish: SessionWish): Prepared => {
    const options = optionsFor(wish);
    if (prepared && isFor(wish) && isDeepStrictEqual(prepared.options, options)) {
      prepared.timer.refresh();
      return prepared;
    }
    void end(take());
    const early = listenEarly(wish.provider);
    const begun = begin(wish).then((session) => {
      early.start(session.sessionId);
      return session;
    });
    // One that could not begin is not kept: the next who asks tries anew.
    begun.catch(() => prepared?.begun === begun && take());
    const timer = setTimeout(() => void end(take()), preparedMs);
    timer.unref();
    prepared = { wish, options, begun, early, timer };
    return prepared;
  };

  return {
    /** What a session would start with that nobody begins ahead: what was chosen last. */
    expectedInfo: (wish: SessionWish): SessionInfo => choicesIn(optionsFor(wish)),
    /** Begins ahead, and tells what the agent offers once it says so. Throws where the agent cannot start. */
    async prepare(wish: SessionWish): Promise<SessionInfo> {
      const { begun, early } = keep(wish);
      const { options } = await begun;
      const told = await early.first(wish.provider.capabilities.models ? infoMs : 0);
      return { ...choicesIn(options), ...told };
    },
    async start(wish: SessionWish): Promise<BegunSession> {
      const taken = isFor(wish) ? take() : null;
      const begun = await taken?.begun.catch(() => null);
      const isWished = isDeepStrictEqual(begun?.options, optionsFor(wish));
      if (taken && begun && isWished && wish.provider.isAlive(begun.sessionId))
        return { ...begun, info: taken.early.stop() };
      void end(taken);
      const fresh = await begin(wish);
      const early = listenEarly(wish.provider);
      early.start(fresh.sessionId);
      return { ...fresh, info: early.stop() };
    },
    /** The folder's trust changed: what was begun under other rules is not wanted any more. */
    forget(projectId: string): void {
      if (prepared?.wish.project.projectId === projectId) void end(take());
    },
  };
}

const choicesIn = ({ modelId, modeId, effort }: SessionOptions): SessionInfo => ({
  ...(modelId !== undefined && { modelId }),
  ...(modeId !== undefined && { modeId }),
  ...(effort !== undefined && { effort }),
});
