import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runningServer } from './server-access.ts';

/** Finds the repository by its content, from `packages/cli/dist` as well as from `packages/cli/src/base`. */
export const launcher = (): string =>
  fileURLToPath(
    new URL(
      import.meta.url.includes('/src/') ? '../../../../scripts/liminal.mjs' : '../../../scripts/liminal.mjs',
      import.meta.url,
    ),
  );

const startMs = 30_000;
const lookEveryMs = 100;

/**
 * Starts a server that outlives this command. Resolves with null when it is ready, or the reason why it didn't start.
 */
export async function startServer(dataDir: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const problem = await launch(dataDir, env);
  if (problem === null || !problem.includes('is already running on')) return problem;
  // Another command started one at the same moment. It has the data directory, but may not be ready yet.
  return (await awaitServer(dataDir)) ? null : problem;
}

/** Waits for a server that something else started. False if it isn't ready in time, or `hasFailed`. */
export async function awaitServer(dataDir: string, hasFailed = (): boolean => false): Promise<boolean> {
  for (let waited = 0; waited < startMs; waited += lookEveryMs) {
    if (runningServer(dataDir) !== null) return true;
    if (hasFailed()) return false;
    await wait(lookEveryMs);
  }
  return false;
}

function launch(dataDir: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const child = spawn(process.execPath, [launcher(), 'start', '--json', '--data-dir', dataDir], {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  return new Promise((resolve) => {
    child.once('close', (code) => resolve(errors.trim() || `The server ended with ${code}.`));
    child.once('error', (error) => resolve(error.message));
    createInterface({ input: child.stdout }).once('line', () => {
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
      resolve(null);
    });
  });
}
