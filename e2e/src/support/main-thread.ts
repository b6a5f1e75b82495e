import type { Page } from 'playwright-core';

export type Span = {
  /** Seconds of the clock, and of the main thread's own time: what other programs on the machine take is not in it. */
  readonly wall: number;
  readonly busy: number;
  readonly heapMb: number;
};

/** Measures how much the page's main thread works, by its own clock, from one call to the next. */
export async function watchMainThread(page: Page): Promise<() => Promise<Span>> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async (): Promise<{ at: number; task: number; heap: number }> => {
    const { metrics } = await protocol.send('Performance.getMetrics');
    const value = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
    return { at: performance.now(), task: value('TaskDuration'), heap: value('JSHeapUsedSize') };
  };
  let before = await read();
  return async () => {
    const now = await read();
    const span = { wall: (now.at - before.at) / 1000, busy: now.task - before.task, heapMb: now.heap / 1e6 };
    before = now;
    return span;
  };
}
