import { ProviderError } from '../../provider-error.ts';

/** What an agent says before its session is open: a replay, or an agent that speaks before it answers. */
export type EarlyUpdates = {
  push(raw: unknown): void;
  /** Throws when there were more than a session can have. */
  all(): readonly unknown[];
};

export type EarlyLimits = { readonly earlyUpdates: number; readonly earlyBytes: number };

/** Holds at most so many of them, so an agent which never stops costs the server no more than that. */
export function createEarlyUpdates(
  agentName: string,
  { earlyUpdates, earlyBytes }: EarlyLimits,
  saidBytes: () => number,
): EarlyUpdates {
  const held: unknown[] = [];
  let tooMuch: string | undefined;
  return {
    push(raw) {
      if (tooMuch !== undefined) return;
      if (held.push(raw) > earlyUpdates) tooMuch = `${earlyUpdates} updates`;
      else if (saidBytes() > earlyBytes) tooMuch = `${Math.round(earlyBytes / 1024)} KiB`;
      if (tooMuch !== undefined) held.length = 0;
    },
    all() {
      if (tooMuch === undefined) return held;
      const sentence = `${agentName} sent more than ${tooMuch} before it opened the session, so it was stopped.`;
      throw new ProviderError('PROTOCOL_ERROR', sentence);
    },
  };
}
