import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Asked, startProcess } from '../processes/start-process.ts';

const hostFile = fileURLToPath(new URL('../../../packages/server/src/testing/bench-host.ts', import.meta.url));

/** A directory on a real disk, for one measurement. */
export const benchFolder = (): string => mkdtempSync(join(tmpdir(), 'liminal-bench-'));

/** The same in an existing directory that stays: the next host finds the data of the previous one. */
export const startHostIn = (folder: string, job: URL, execArgv: readonly string[] = []): Promise<Asked> =>
  startProcess(hostFile, [fileURLToPath(job), folder], execArgv);

/** Starts the server with a job inside it, in its own process and directory. */
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
