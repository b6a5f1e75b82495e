import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Asked, startProcess } from '../processes/start-process.ts';

const hostFile = fileURLToPath(new URL('../../../packages/server/src/testing/bench-host.ts', import.meta.url));

/** A directory on a real disk, for one measurement. */
export const benchFolder = (): string => mkdtempSync(join(tmpdir(), 'liminal-bench-'));

/** The same in a directory that is there before and stays: what one of them keeps, the next one finds. */
export const startHostIn = (folder: string, job: URL, execArgv: readonly string[] = []): Promise<Asked> =>
  startProcess(hostFile, [fileURLToPath(job), folder], execArgv);

/** Starts the server with a job inside it, in a process and a directory of its own. */
export async function startHost(job: URL, execArgv: readonly string[] = []): Promise<Asked> {
  const folder = benchFolder();
  const host = await startProcess(hostFile, [fileURLToPath(job), folder], execArgv);
  return {
    ...host,
    async stop() {
      await host.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
