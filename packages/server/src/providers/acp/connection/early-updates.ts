import { ProviderError } from '../../provider-error.ts';

/** Updates an agent sends before its session is open: a replay, or an agent that talks before it answers. */
export type EarlyUpdates = {
  push(raw: unknown): void;
  /** Throws if there were more than the limits allow. */
  all(): readonly unknown[];
};

export type EarlyLimits = { readonly earlyUpdates: number; readonly earlyBytes: number };

/** Limits how many are held, so an agent that never stops can't exhaust the server's memory. */
export function createEarlyUpdates(
  agentName: string,
  { earlyUpdates, earlyBytes }: EarlyLimits,
  outputBytes: () => number,
): EarlyUpdates {
  const held: unknown[] = [];
  let tooMuch: string | undefined;
  return {
    push(raw) {
      if (tooMuch !== undefined) return;
      if (held.push(raw) > earlyUpdates) tooMuch = `${earlyUpdates} updates`;
      else if (outputBytes() > earlyBytes) tooMuch = `${Math.round(earlyBytes / 1024)} KiB`;
      if (tooMuch !== undefined) held.length = 0;
    },
    all() {
      if (tooMuch === undefined) return held;
      const sentence = `${agentName} sent more than ${tooMuch} before it opened the session, so it was stopped.`;
      throw new ProviderError('PROTOCOL_ERROR', sentence);
    },
  };
}
