import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** From `packages/cli/dist` as from `packages/cli/src/base`, the repository is found by what it contains. */
export const launcher = (): string =>
  fileURLToPath(
    new URL(
      import.meta.url.includes('/src/') ? '../../../../scripts/liminal.mjs' : '../../../scripts/liminal.mjs',
      import.meta.url,
    ),
  );

/** Starts a server that outlives this command; null once it is ready, else why it did not start. */
export function startServer(dataDir: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const child = spawn(process.execPath, [launcher(), 'start', '--json', '--data-dir', dataDir], {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(errors.trim() || `The server ended with ${code}.`));
    child.once('error', (error) => resolve(error.message));
    createInterface({ input: child.stdout }).once('line', () => {
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
      resolve(null);
    });
  });
}
