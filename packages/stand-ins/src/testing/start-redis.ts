import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type RedisProcess = {
  readonly port: number;
  /** Includes the password, if one was given. */
  readonly url: string;
  readonly pid: number;
  /** Kills it immediately, unless another signal is given. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  /** Starts it again on the same port; without `keep` all data is gone. */
  restart(): Promise<void>;
  /** Stops it and removes its folder. */
  stop(): Promise<void>;
};

export type RedisOptions = {
  /** A free port by default. */
  readonly port?: number;
  readonly password?: string;
  /** Flags that name certificates: it then accepts only TLS connections. */
  readonly tls?: readonly string[];
  /** Further flags, such as `--maxmemory 8mb`. */
  readonly flags?: readonly string[];
  /** Data survives a restart (an append-only file, synced at every write). */
  readonly keep?: boolean;
};

/** A real redis-server on a free loopback port, in its own folder, stopped by its own pid. */
export async function startRedis({
  password,
  tls,
  flags = [],
  keep = false,
  port: wantedPort,
}: RedisOptions = {}): Promise<RedisProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'liminal-redis-'));
  const port = wantedPort ?? (await freePort());
  let child = await launch();

  async function launch(): Promise<ChildProcess> {
    const listen = tls === undefined ? ['--port', String(port)] : ['--port', '0', '--tls-port', String(port), ...tls];
    const place = ['--bind', '127.0.0.1', '--dir', folder, '--daemonize', 'no'];
    const writing = ['--save', '', '--appendonly', keep ? 'yes' : 'no', '--appendfsync', 'always'];
    const secret = password === undefined ? [] : ['--requirepass', password];
    const program = process.env['REDIS_SERVER_PATH'] ?? 'redis-server';
    const started = spawn(program, [...listen, ...place, ...writing, ...secret, ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await new Promise<void>((resolve, reject) => {
      let said = '';
      started.once('error', (error) => reject(new Error(`redis-server failed to start: ${error.message}`)));
      started.once('exit', (code) => reject(new Error(`redis-server exited with ${code}: ${said}`)));
      createInterface({ input: started.stdout }).on('line', (line) => {
        said += `${line}\n`;
        if (line.includes('Ready to accept connections')) resolve();
      });
    });
    return started;
  }
  const kill = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  return {
    port,
    url: `${tls === undefined ? 'redis' : 'rediss'}://${password === undefined ? '' : `:${password}@`}127.0.0.1:${port}`,
    get pid() {
      return child.pid ?? 0;
    },
    kill,
    async restart() {
      await kill();
      child = await launch();
    },
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
