import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createAgentMaker } from '../bridge/own-agents.ts';
import type { Config } from './config.ts';
import { type DataDir, StartFailure } from './data-dir.ts';
import { createDemoProject } from './demo-project.ts';
import { createLaunchApart } from '../git/launch/launch-apart.ts';
import { createGitRunner } from '../git/run-git.ts';
import { createGit } from '../git/real-git.ts';
import { createLogger, type Logger } from '../observe/logger.ts';
import { startGuardian } from '../processes/guardian.ts';
import { createWaitingShell } from '../processes/waiting-shell.ts';
import { createProcessMarker } from '../processes/process-marker.ts';
import { userPath } from '../processes/user-path.ts';
import { createAgentSpawner } from '../processes/spawn-agent.ts';
import { useAddedAgents } from '../program/agent-packages.ts';
import { programFolder, programVersion } from '../program/program-files.ts';
import { editableEnvironment, namesIn, storedAgentEnv } from '../preferences/preference-service.ts';
import { storedCheckpointLimits } from '../preferences/checkpoint-limits.ts';
import { startRetentionTimer } from '../preferences/retention.ts';
import { isAgentMissing, registerProviders } from './register-providers.ts';
import { withClaudeOnPath } from '../providers/claude/claude-path.ts';
import { withCodexOnPath } from '../providers/codex/codex-path.ts';
import { createAgentInstaller, npmSettings } from '../providers/install-agent.ts';
import { createProviderRegistry } from '../providers/registry.ts';
import { serve } from './serve.ts';
import { backupBeforeUpdate } from '../store/sqlite/backups.ts';
import { NewerDatabaseError } from '../store/sqlite/migrate.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { linkWithToken } from './token-file.ts';
import { terminalEnvironment } from '../terminals/terminal-environment.ts';
import { openPtyHost } from '../terminals/pty/script.ts';
import { StoreFailure } from '../store/store-failure.ts';
import type { Store } from '../store/store.ts';
import { measureSpawner, measureStore } from '../telemetry/measure.ts';
import { startTelemetry, type Telemetry } from '../telemetry/telemetry.ts';

export type RunningServer = {
  /** The current address with the current token, which can be rotated while the server runs. */
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly version: string;
  readonly log: Logger;
  close(): Promise<void>;
};

const version = programVersion();

/** The composition root: connects the data directory, the disk and the real agents with a server. */
export async function startServer(
  config: Config,
  dataDir: DataDir,
  register: typeof registerProviders = registerProviders,
  /** Called after the token was rotated. The address stays the same. */
  onTokenChanged: (server: Pick<RunningServer, 'url'>) => void = () => {},
): Promise<RunningServer> {
  const log = createLogger(config.logLevel);
  const stored = openStore(dataDir);
  const telemetry = await startTelemetry(process.env, version, log);
  const store = measured(stored, telemetry, measureStore);
  const guardian = startGuardian({ log });
  const marker = createProcessMarker(guardian);
  const spawner = createAgentSpawner({ guardian, marker, shell: createWaitingShell({ guardian, marker }), log });
  useAddedAgents(dataDir.path);
  const registry = createProviderRegistry();
  const path = userPath(process.env['PATH'] ?? '', programFolder);
  const onPath = withClaudeOnPath(withCodexOnPath({ ...process.env, PATH: path }));
  const env = editableEnvironment(onPath, () => storedAgentEnv(store));
  const wasUsed = (cliType: string) => store.hasSessionOf(cliType);
  const agentSpawner = measured(spawner, telemetry, measureSpawner);
  register(registry, { spawner: agentSpawner, log, env, version, dataDir: dataDir.path, wasUsed });
  const pageDir = `${programFolder}packages/web/dist`;
  let address = '';
  const url = () => linkWithToken(address, dataDir.token());
  const rotateToken = () => {
    const rotated = dataDir.rotateToken();
    if (rotated.ok) onTokenChanged({ url: url() });
    return rotated;
  };
  // Git starts often. Each start from this process would block everything else.
  const apart = createLaunchApart();
  const runner = createGitRunner({ launch: apart.launch });
  const closeRest = async () => {
    await agentSpawner.close();
    apart.close();
    await guardian.close();
    await store.close();
    await telemetry?.close();
    dataDir.release();
  };
  const shadow = {
    folder: join(dataDir.path, 'shadow'),
    megabytes: () => storedCheckpointLimits(store).folderMegabytes,
  };
  const served = await serve({
    store,
    git: createGit({ shadow, runner }),
    registry,
    token: () => dataDir.token(),
    rotateToken,
    host: config.host,
    port: config.port,
    ...(config.publicUrl === null ? {} : { publicUrl: config.publicUrl }),
    ...(config.cluster === null ? {} : { cluster: config.cluster }),
    version,
    pageDir: existsSync(`${pageDir}/index.html`) ? pageDir : null,
    demoFolder: createDemoProject(dataDir.path, runner),
    trashFolder: join(dataDir.path, 'trash'),
    draftFolder: join(dataDir.path, 'drafts'),
    attachmentFolder: join(dataDir.path, 'attachments'),
    signInFolder: () => dataDir.signInFolder(),
    idleMs: config.idleMs,
    maxLiveAgents: config.maxLiveAgents,
    agentEnv: namesIn(process.env),
    openPtys: () => openPtyHost({ guardian, marker, log }),
    spawner,
    installer: createAgentInstaller({
      spawner,
      dataDir: dataDir.path,
      env: () => ({ ...terminalEnvironment({ ...process.env, PATH: path }), ...npmSettings(process.env) }),
      isMissing: (name) => isAgentMissing(name, env),
      hasProgram: (name) => name === 'claude' && Boolean(env['LIMINAL_CLAUDE_PATH']),
      log,
    }),
    worktreeFolder: join(dataDir.path, 'worktrees'),
    env: { ...process.env, PATH: path },
    ...(telemetry === null ? {} : { telemetry }),
    agentMaker: createAgentMaker({ spawner: agentSpawner, log, env, version, dataDir: dataDir.path }),
    log,
  }).catch(async (error: unknown) => {
    await closeRest();
    throw error instanceof StoreFailure ? unwritable(dataDir, error) : error;
  });
  const retention = startRetentionTimer({
    store,
    now: Date.now,
    onTidied: (tidied) => log.info(tidied, 'removed outputs and permission decisions past their retention'),
    onError: (error) => log.error({ err: error }, "couldn't remove old outputs and permission decisions"),
  });
  const pruning = everyDay(
    async () => {
      const pruned = await served.pruneCheckpoints();
      if (pruned > 0) log.info({ pruned }, 'removed checkpoints beyond their limits');
    },
    (error) => log.error({ err: error }, "couldn't remove old checkpoints"),
  );
  const dropping = everyDay(
    () => served.dropOldTrash(),
    (error) => log.error({ err: error }, "couldn't drop old items of the trash"),
  );
  const close = async () => {
    retention.stop();
    pruning.stop();
    dropping.stop();
    await served.close();
    await closeRest();
  };
  try {
    const port = await served.listen();
    address = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}/`;
    dataDir.announce(address);
    return {
      get url() {
        return url();
      },
      get token() {
        return dataDir.token();
      },
      port,
      version,
      log,
      close,
    };
  } catch (error) {
    await close();
    throw listenFailure(error, config);
  }
}

/** Returns the thing unchanged if telemetry is off. */
const measured = <T>(thing: T, telemetry: Telemetry | null, measure: (thing: T, telemetry: Telemetry) => T): T =>
  telemetry === null ? thing : measure(thing, telemetry);

function openStore(dataDir: DataDir): Store {
  try {
    backupBeforeUpdate(dataDir.databasePath);
    return openSqliteStore(dataDir.databasePath);
  } catch (error) {
    dataDir.release();
    if (error instanceof NewerDatabaseError) throw new StartFailure(error.message);
    const { message } = error as Error;
    const sentence = `Can't open the database ${dataDir.databasePath} (${message}).`;
    throw new StartFailure(`${sentence} Check its permissions, or move it away to start over.`);
  }
}

function unwritable({ databasePath }: DataDir, { reason }: StoreFailure): StartFailure {
  return new StartFailure(
    `Can't write to the database ${databasePath} (${reason}). Check the disk and its permissions.`,
  );
}

function listenFailure(error: unknown, { port, host }: Config): Error {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new StartFailure(
        `Port ${port} is already in use. Choose another with --port N, or use --port 0 for any free one.`,
      );
    case 'EACCES':
      return new StartFailure(`You aren't allowed to use port ${port}. Choose one above 1023 with --port N.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartFailure(`This machine has no address "${host}". Omit --host, or use one of its addresses.`);
    case undefined:
    default:
      return error as Error;
  }
}

const dayMs = 24 * 60 * 60 * 1000;

/** Runs a task a minute after the start, to keep the start fast, and then once a day. */
function everyDay(task: () => Promise<unknown>, onError: (error: unknown) => void): { stop(): void } {
  let isRunning = false;
  const run = (): void => {
    if (isRunning) return;
    isRunning = true;
    task()
      .catch(onError)
      .finally(() => (isRunning = false));
  };
  const first = setTimeout(run, 60_000).unref();
  const daily = setInterval(run, dayMs).unref();
  return {
    stop() {
      clearTimeout(first);
      clearInterval(daily);
    },
  };
}
