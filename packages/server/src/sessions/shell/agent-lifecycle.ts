import type { Result, SessionOptions } from '@liminal/contracts';
import type { CliProvider, LoadOptions, Unsubscribe } from '../../providers/provider.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import { followAgent, type AgentEvent } from './agent-event.ts';

export type AgentLifecycleDeps = {
  readonly provider: CliProvider;
  readonly sessionId: string;
  /** The options to start the agent with, or why it may not start. */
  readonly startOptions: () => Result<LoadOptions>;
  readonly onWoken: () => void;
};

/** A step that may start the agent. One with several parts checks in between whether the session was ended meanwhile. */
type Step<T> = (failIfKilled: () => void) => Promise<T>;

/**
 * Starts and ends one session's process. A kill covers everything that began before it: a process that such a start
 * creates later is ended too. The next start waits until all of that is over, so two processes never work on the same
 * session.
 */
export function createAgentLifecycle({ provider, sessionId, startOptions, onWoken }: AgentLifecycleDeps) {
  let listener: ((event: AgentEvent) => void) | null = null;
  let attached: readonly Unsubscribe[] = [];
  let waking: Promise<void> | null = null;
  let kills = 0;
  let isClosed = false;
  /** The ending in progress, if any. */
  let ending: Promise<void> | null = null;
  /** Unfinished steps that may start the agent. */
  const underWay = new Set<Promise<unknown>>();
  /** Settles when everything that was running at a kill is over. */
  let cleared: Promise<unknown> = Promise.resolve();

  const detach = (seen: readonly Unsubscribe[]) => {
    for (const unsubscribe of seen) unsubscribe();
    attached = attached.filter((unsubscribe) => !seen.includes(unsubscribe));
  };
  const attach = () => {
    detach(attached);
    if (listener) attached = followAgent(provider, sessionId, listener);
  };

  const failIfKilled = (before: number): void => {
    if (kills !== before)
      throw new ProviderError('SESSION_DEAD', 'This session was ended while its agent was starting.');
  };
  const endIfKilled = async (before: number): Promise<void> => {
    if (kills !== before) await provider.killSession(sessionId);
    failIfKilled(before);
  };
  const guarded = async <T>(step: Step<T>, before: number): Promise<T> => {
    const result = await step(() => failIfKilled(before)).catch(async (error: unknown) => {
      await endIfKilled(before);
      throw error;
    });
    await endIfKilled(before);
    return result;
  };
  const unlessKilled = <T>(step: Step<T>): Promise<T> => {
    const running = guarded(step, kills);
    underWay.add(running);
    const over = () => void underWay.delete(running);
    running.then(over, over);
    return running;
  };

  const load = async (before: number): Promise<void> => {
    await cleared;
    failIfKilled(before);
    if (isClosed) throw new ProviderError('SESSION_NOT_FOUND', 'This session was deleted.');
    const options = allowed(startOptions());
    await unlessKilled(() => provider.loadSession(sessionId, options));
    attach();
    await unlessKilled(() => applyNewChoices(options));
    onWoken();
  };
  /** Applies choices the user made while the agent was starting with older ones. */
  const applyNewChoices = async ({ providerOptions: used = {} }: LoadOptions): Promise<void> => {
    if (!provider.isAlive(sessionId)) return;
    const now = startOptions();
    const chosen = now.ok ? (now.value.providerOptions ?? {}) : used;
    for (const [option, set] of Object.entries(setters)) {
      const value = chosen[option as ChosenOption];
      // A rejected choice must not prevent the start; the agent reports its actual settings.
      if (value !== undefined && value !== used[option as ChosenOption])
        await set(provider, sessionId, value)?.catch(() => {});
    }
  };

  const kill = async (): Promise<void> => {
    kills += 1;
    waking = null;
    const seen = attached;
    const earlier = ending;
    // Its last output is still processed; otherwise what it hadn't published yet would be lost.
    const killed = provider.killSession(sessionId).finally(() => detach(seen));
    const mine = Promise.allSettled([earlier, killed]).then(() => {
      if (ending === mine) ending = null;
    });
    ending = mine;
    cleared = Promise.allSettled([cleared, mine, ...underWay]);
    await mine;
    await killed;
  };

  return {
    listen(given: (event: AgentEvent) => void): void {
      listener = given;
      if (provider.isAlive(sessionId)) attach();
    },
    isWaking: () => waking !== null,
    wake(): Promise<void> {
      if (waking) return waking;
      if (!ending && provider.isAlive(sessionId) && attached.length > 0) return Promise.resolve();
      const mine = load(kills).finally(() => {
        if (waking === mine) waking = null;
      });
      waking = mine;
      return mine;
    },
    /** Runs a step that may start the agent; fails if the session is ended meanwhile. */
    unlessKilled,
    kill,
    close(): Promise<void> {
      isClosed = true;
      return kill();
    },
  };
}

type ChosenOption = keyof Pick<SessionOptions, 'modelId' | 'modeId' | 'effort'>;
type Setter = (provider: CliProvider, sessionId: string, value: string) => Promise<void> | undefined;
const setters: Record<ChosenOption, Setter> = {
  modelId: (provider, sessionId, value) => provider.setModel?.(sessionId, value),
  modeId: (provider, sessionId, value) => provider.setMode?.(sessionId, value),
  effort: (provider, sessionId, value) => provider.setEffort?.(sessionId, value),
};

function allowed(options: Result<LoadOptions>): LoadOptions {
  if (options.ok) return options.value;
  throw new ProviderError(options.failure.code, options.failure.message);
}
