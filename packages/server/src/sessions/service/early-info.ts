import type { SessionInfo } from '@liminal/contracts';
import type { CliProvider, Unsubscribe } from '../../providers/provider.ts';

/** What an agent reports about itself before its session is visible to anybody. */
export type EarlyInfo = {
  start(sessionId: string): void;
  /** Resolves once the agent has named its models, or after the given time with whatever has arrived. */
  first(withinMs: number): Promise<SessionInfo>;
  /** The session itself listens from now on. Returns what has arrived so far, which the provider doesn't repeat. */
  stop(): SessionInfo;
};

export function listenEarly(provider: CliProvider): EarlyInfo {
  const named = Promise.withResolvers<void>();
  let info: SessionInfo = {};
  let stop: Unsubscribe | undefined;
  return {
    start(sessionId) {
      stop = provider.onSessionInfo?.(sessionId, (news) => {
        info = { ...info, ...news };
        if (info.models !== undefined) named.resolve();
      });
    },
    async first(withinMs) {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, withinMs);
      await Promise.race([named.promise, late.promise]);
      clearTimeout(timer);
      return info;
    },
    stop() {
      stop?.();
      named.resolve();
      return info;
    },
  };
}
