import { isDeepStrictEqual } from 'node:util';
import type { Project, SessionOptions } from '@liminal/contracts';
import type { PreferenceService } from '../preferences/preference-service.ts';
import type { CliProvider } from '../providers/provider.ts';
import { chosenOptions, startWithChoices } from './remembered-options.ts';

export type SessionWish = {
  readonly provider: CliProvider;
  readonly project: Project;
  /** What the person chose for this one session. */
  readonly given: SessionOptions;
};
export type BegunSession = { readonly sessionId: string; readonly options: SessionOptions };

type Prepared = { readonly wish: SessionWish; readonly begun: Promise<BegunSession>; readonly timer: NodeJS.Timeout };

export type SessionStartsDeps = {
  readonly preferences: PreferenceService;
  /** How long a session that was begun ahead waits to be wanted. */
  readonly preparedMs: number;
};

/**
 * Starts agents for new sessions. One may be begun ahead, while a person still chooses: its process, its hooks and its
 * look at the folder then cost nobody any time. It serves only a wish that is the same in every point, and not for long:
 * what it saw of the folder grows old.
 */
export function createSessionStarts({ preferences, preparedMs }: SessionStartsDeps) {
  let prepared: Prepared | null = null;

  const placeOf = ({ provider, project }: SessionWish) => ({ projectId: project.projectId, cliType: provider.cliType });
  const begin = async (wish: SessionWish): Promise<BegunSession> => {
    const { provider, project, given } = wish;
    const { dir, trusted } = project;
    const { options, started } = await startWithChoices(preferences, placeOf(wish), given, (chosen) =>
      provider.createSession({ projectDir: dir, providerOptions: { ...chosen, trusted } }),
    );
    return { sessionId: started.sessionId, options };
  };

  /** From now on it is whoever called this that has it. */
  const take = (): Prepared | null => {
    const taken = prepared;
    prepared = null;
    clearTimeout(taken?.timer);
    return taken;
  };
  const end = async (ended: Prepared | null): Promise<void> => {
    const begun = await ended?.begun.catch(() => null);
    if (begun) await ended?.wish.provider.killSession(begun.sessionId);
  };
  const isFor = (wish: SessionWish): boolean =>
    prepared !== null &&
    prepared.wish.provider === wish.provider &&
    prepared.wish.project.dir === wish.project.dir &&
    prepared.wish.project.trusted === wish.project.trusted;

  return {
    /** Begins ahead; that it could not is told to the one who asks for the session itself. */
    prepare(wish: SessionWish): void {
      if (isFor(wish)) return void prepared?.timer.refresh();
      void end(take());
      const begun = begin(wish);
      // One that could not begin is not kept: the next who asks tries anew.
      begun.catch(() => prepared?.begun === begun && take());
      const timer = setTimeout(() => void end(take()), preparedMs);
      timer.unref();
      prepared = { wish, begun, timer };
    },
    async start(wish: SessionWish): Promise<BegunSession> {
      const taken = isFor(wish) ? take() : null;
      const begun = await taken?.begun.catch(() => null);
      const isWished = isDeepStrictEqual(begun?.options, chosenOptions(preferences, placeOf(wish), wish.given));
      if (begun && isWished && wish.provider.isAlive(begun.sessionId)) return begun;
      void end(taken);
      return begin(wish);
    },
    /** The folder's trust changed: what was begun under other rules is not wanted any more. */
    forget(projectId: string): void {
      if (prepared?.wish.project.projectId === projectId) void end(take());
    },
  };
}
