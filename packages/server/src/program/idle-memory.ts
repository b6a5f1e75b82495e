import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What this needs of V8 and Node. */
export type Engine = {
  /** How much of a processor this process has used since the last call. */
  busyShare(): number;
  usedBytes(): number;
  collect(): void;
};

const lookEveryMs = 5_000;
/** An idle server still runs a timer now and then, and collecting is some work too. */
const idleShare = 0.02;
/** A collection stops the server for about a millisecond per megabyte. Nobody gains from that in a large heap. */
const mostUsedBytes = 64 * 1024 * 1024;

/**
 * Returns memory to the system when there is nothing to do. V8's young generation grows to 16 or 32 MB while the server
 * starts or works, and shrinks only in a full collection at a quiet time, which V8 never starts by itself.
 */
export function releaseMemoryWhenIdle(engine: Engine = v8Engine()): void {
  let hasWorked = true;
  setInterval(() => {
    const isBusy = engine.busyShare() > idleShare;
    if (!isBusy && hasWorked && engine.usedBytes() < mostUsedBytes) engine.collect();
    hasWorked = isBusy;
  }, lookEveryMs).unref();
}

function v8Engine(): Engine {
  let [before, at] = [process.cpuUsage(), performance.now()];
  return {
    busyShare() {
      const { user, system } = process.cpuUsage(before);
      const share = (user + system) / 1000 / (performance.now() - at);
      [before, at] = [process.cpuUsage(), performance.now()];
      return share;
    },
    usedBytes: () => getHeapStatistics().used_heap_size,
    collect() {
      // V8 hands its collector out only to contexts that are created after this.
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as (options: object) => void;
      setFlagsFromString('--no-expose-gc');
      collect({ type: 'major', execution: 'sync' });
    },
  };
}
