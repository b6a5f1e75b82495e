import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { childrenOf, watchesOf } from '../processes/held-resources.ts';

export type Rest = {
  /** The share of one core in each period, in percent. */
  readonly percents: readonly number[];
  readonly processes: number;
  readonly watches: number;
};

const longestSettlingMs = 180_000;
const quietMs = 15_000;

/**
 * What this process costs while nothing happens. It first waits for the end of what was begun before: a new session
 * watches its folder for 10 s, and a helper process leaves after a minute.
 */
export async function measureRest(periods: number, periodMs: number): Promise<Rest> {
  const until = performance.now() + longestSettlingMs;
  while (isHolding() && performance.now() < until) await wait(500);
  await collectGarbage(until);
  const percents: number[] = [];
  for (let period = 0; period < periods; period += 1) {
    const before = process.cpuUsage();
    const began = performance.now();
    await wait(periodMs);
    const { user, system } = process.cpuUsage(before);
    percents.push(((user + system) / 1000 / (performance.now() - began)) * 100);
  }
  return { percents, processes: childrenOf(process.pid).length, watches: watchesOf(process.pid) };
}

const isHolding = (): boolean => childrenOf(process.pid).length > 0 || watchesOf(process.pid) > 0;

/** Has V8 collect now what it would collect at some moment of the next minutes, and waits until it has finished. */
async function collectGarbage(until: number): Promise<void> {
  let collectedAt = performance.now();
  const observer = new PerformanceObserver(() => (collectedAt = performance.now()));
  observer.observe({ entryTypes: ['gc'] });
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  // About 8 s after a collection, V8 collects again to give memory back.
  while (performance.now() - collectedAt < quietMs && performance.now() < until) await wait(500);
  observer.disconnect();
}
