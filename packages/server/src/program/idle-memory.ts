import { setFlagsFromString } from 'node:v8';

/** Soon after the start, V8 collects what loading left behind. */
const settleMs = 2_000;

/**
 * Keeps V8 from enlarging its young generation in the collection that follows the start. Most of what was loaded stays,
 * so V8 would double it to 32 MB, and it never shrinks. Afterwards it grows as before, if there is work for it. Call it
 * once everything is loaded: a small young generation makes loading slower.
 */
export function holdYoungGeneration(setFlags = setFlagsFromString): void {
  const growBy = (factor: number): void => setFlags(`--semi-space-growth-factor=${factor}`);
  growBy(1);
  setTimeout(() => growBy(2), settleMs).unref();
}
