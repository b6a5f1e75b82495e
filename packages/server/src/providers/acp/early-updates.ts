import { ProviderError } from '../provider-error.ts';

/** What an agent says before its session is open: a replay, or an agent that speaks before it answers. */
export type EarlyUpdates = {
  push(raw: unknown): void;
  /** Throws when there were more than a session can have. */
  all(): readonly unknown[];
};

/** Holds at most `limit` of them, so that an agent which never stops costs the server no more than that. */
export function createEarlyUpdates(agentName: string, limit: number): EarlyUpdates {
  const held: unknown[] = [];
  let isTooMuch = false;
  return {
    push(raw) {
      if (isTooMuch) return;
      isTooMuch = held.push(raw) > limit;
      if (isTooMuch) held.length = 0;
    },
    all() {
      if (!isTooMuch) return held;
      const sentence = `${agentName} sent more than ${limit} updates before it opened the session, so it was stopped.`;
      throw new ProviderError('PROTOCOL_ERROR', sentence);
    },
  };
}
