import { setTimeout as delay } from 'node:timers/promises';

const largestBatch = 256;

/** Hands out pieces when they are due, the late ones together, so that a long answer keeps its rate. */
export async function* paced(
  pieces: readonly string[],
  gapMs: number,
  signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
  const start = performance.now();
  let sent = 0;
  while (sent < pieces.length) {
    signal.throwIfAborted();
    // Due times count from the start, not from the last piece: timers run late, and that must not add up.
    const due = gapMs > 0 ? Math.floor((performance.now() - start) / gapMs) + 1 : pieces.length;
    const batch = pieces.slice(sent, Math.min(due, sent + largestBatch));
    sent += batch.length;
    if (batch.length > 0) yield batch;
    const wait = gapMs > 0 && sent < pieces.length ? start + sent * gapMs - performance.now() : 0;
    if (wait > 0) await delay(Math.ceil(wait), undefined, { signal });
  }
}
