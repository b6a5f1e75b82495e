import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Finds the repository by its content, from `packages/cli/dist` as well as from `packages/cli/src/base`. */
export const launcher = (): string =>
  fileURLToPath(
    new URL(
      import.meta.url.includes('/src/') ? '../../../../scripts/liminal.mjs' : '../../../scripts/liminal.mjs',
      import.meta.url,
    ),
  );

/**
 * Starts a server that outlives this command. Resolves with null when it is ready, or the reason why it didn't start.
 */
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
