import { type Config, readConfig, encryptionNotice } from './config.ts';
import { takeDataDir, StartFailure } from './data-dir.ts';
import { requestedInformation } from './flags.ts';
import type { registerProviders } from './register-providers.ts';
import type { RunningServer } from './start.ts';

const closeWithinMs = 9_000;
/** npm passes Ctrl-C on, so the signal arrives twice. Signals within this time count as one. */
const sameSignalMs = 1_000;

function complain(sentence: string, exitCode: number): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = exitCode;
}

/** Prints the result of a command and sets the exit code. */
function say({ sentence, exitCode }: { readonly sentence: string; readonly exitCode: number }): void {
  if (exitCode === 0) process.stdout.write(`${sentence}\n`);
  else complain(sentence, exitCode);
}

function sayReady(server: RunningServer, config: Config): void {
  const { url, port, token, version } = server;
  const line = config.json
    ? JSON.stringify({ event: 'ready', url, port, token, version, pid: process.pid })
    : `Liminal Builder is ready at ${url}`;
  process.stdout.write(`${line}\n`);
}

/** The first signal shuts down cleanly. A later one, or a shutdown that hangs, exits at once. */
function closeOnSignal(server: RunningServer): void {
  let since: number | null = null;
  const close = () => {
    if (since !== null) {
      if (performance.now() - since > sameSignalMs) process.exit(1);
      return;
    }
    since = performance.now();
    setTimeout(() => process.exit(1), closeWithinMs).unref();
    server.close().then(
      () => process.exit(0),
      (error: unknown) => {
        server.log.error({ err: error }, 'closing failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', close);
  process.on('SIGTERM', close);
  process.on('SIGHUP', close);
}

/** A stray rejection in a library must not end every session. */
function surviveAccidents(server: RunningServer): void {
  process.on('unhandledRejection', (error) => server.log.error({ err: error }, 'unhandled rejection'));
  process.on('uncaughtException', (error) => server.log.error({ err: error }, 'uncaught exception'));
}

/** The program: flags, data directory, server, signals. Cheap checks run before the rest is loaded. */
export async function run(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  /** Replaces the usual agents in tests of the whole program. */
  register?: typeof registerProviders,
): Promise<void> {
  const information = requestedInformation(args);
  if (information !== null) return say({ sentence: information, exitCode: 0 });
  if (args[0] === 'token') {
    const { runTokenCommand } = await import('./token-command.ts');
    return say(await runTokenCommand(args.slice(1), env));
  }
  if (args[0] === 'backup') {
    const { runBackupCommand } = await import('./backup-command.ts');
    return say(await runBackupCommand(args.slice(1), env));
  }
  const read = readConfig(args, env);
  if (!read.ok) return complain(read.sentence, 2);
  const { config } = read;
  try {
    const dataDir = takeDataDir(config.dataDir, config.token);
    const { startServer } = await import('./start.ts');
    const server = await startServer(config, dataDir, register, ({ url }) => {
      // With --json, the first line must stay the only one.
      if (!config.json) process.stdout.write(`Token rotated. Liminal Builder is now at ${url}\n`);
    });
    surviveAccidents(server);
    closeOnSignal(server);
    sayReady(server, config);
    const notice = encryptionNotice(config.host);
    if (notice !== null) process.stderr.write(`${notice}\n`);
    if (!config.open) return;
    const { openBrowser } = await import('./open-browser.ts');
    await openBrowser({
      url: server.url,
      folder: dataDir.path,
      say: (sentence) => process.stderr.write(`${sentence}\n`),
    });
  } catch (error) {
    if (!(error instanceof StartFailure)) throw error;
    complain(error.message, 1);
  }
}
