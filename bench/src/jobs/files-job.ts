import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { BenchHost } from '../host/bench-host.ts';
import { answerQuestions } from '../processes/questions.ts';

const everyMs = 5;

/** Threads of this process, and search programs it started. */
const busy = (): string => {
  const searching = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter((pid) => pid !== '' && nameOf(pid) === 'rg');
  return `${readdirSync('/proc/self/task').length} ${searching.length}`;
};
function nameOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}

/** The time of this thread alone, without other load on the machine. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** A server with a trusted folder, which records how long it is blocked. */
export async function run(host: BenchHost): Promise<void> {
  const folder = `${host.folder}/project`;
  const { body } = await host.call('POST', '/api/projects', { dir: folder });
  const { projectId } = body as { projectId: string };
  await host.call('POST', `/api/projects/${projectId}/trust`, { trusted: true });
  let [longest, idle] = [0, ''];
  await answerQuestions({
    open: () => ({ port: host.port, token: host.token, projectId, folder }),
    watch() {
      let [last, used] = [performance.now(), workedMs()];
      setInterval(() => {
        const [now, worked] = [performance.now(), workedMs()];
        longest = Math.max(longest, Math.min(now - last - everyMs, worked - used));
        [last, used] = [now, worked];
      }, everyMs).unref();
    },
    blocked: () => longest,
    /** Whether no search is running. */
    rest: () => void (idle = busy()),
    /** How long it takes until no search is running. */
    async untilIdle(): Promise<number> {
      const began = performance.now();
      while (busy() !== idle && performance.now() - began < 10_000) await wait(1);
      return performance.now() - began;
    },
  });
}
