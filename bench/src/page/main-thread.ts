import type { CDPSession } from 'playwright-core';

export type Span = {
  /** Elapsed seconds, and the main thread's own time, without other load on the machine. */
  readonly wall: number;
  readonly busy: number;
};

/** Measures how much the page's main thread works, by its own clock, from one call to the next. */
export async function watchMainThread(protocol: CDPSession): Promise<() => Promise<Span>> {
  await protocol.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async (): Promise<{ at: number; task: number }> => {
    const { metrics } = await protocol.send('Performance.getMetrics');
    const task = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
    return { at: performance.now(), task };
  };
  let before = await read();
  return async () => {
    const now = await read();
    const span = { wall: (now.at - before.at) / 1000, busy: now.task - before.task };
    before = now;
    return span;
  };
}
