import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Asked, startProcess } from '../processes/start-process.ts';

const hostFile = fileURLToPath(new URL('../../../packages/server/src/testing/bench-host.ts', import.meta.url));

/** Starts the server with a job inside it, in a process and a directory of its own. */
export async function startHost(job: URL, execArgv: readonly string[] = []): Promise<Asked> {
  const folder = mkdtempSync(join(tmpdir(), 'liminal-bench-'));
  const host = await startProcess(hostFile, [fileURLToPath(job), folder], execArgv);
  return {
    ...host,
    async stop() {
      await host.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
