import { setFlagsFromString } from 'node:v8';

/** Starting isn't over when the server is ready: a moment later, V8 collects what it left behind. */
const settleMs = 2_000;

/**
 * Keeps V8's young generation small while the program loads. Most of what is loaded stays, so V8 would enlarge it to
 * 32 MB, and it never shrinks. Afterwards it grows as before, if there is work for it.
 */
export function holdYoungGeneration(setFlags = setFlagsFromString): { release(): void } {
  const growBy = (factor: number): void => setFlags(`--semi-space-growth-factor=${factor}`);
  growBy(1);
  return { release: () => void setTimeout(() => growBy(2), settleMs).unref() };
}
