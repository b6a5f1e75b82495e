import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ApiResult } from '@liminal/client/exchange';
import type { ConnectOptions } from '@liminal/client/server-link';
import { serverAddress } from '@liminal/client/server-address';
import { processStartIn } from '@liminal/domain/time/process-start';

const refused = (message: string): ApiResult<never> => ({ ok: false, failure: { code: 'NO_SERVER', message } });

export const dataDirOf = (given: string | undefined, env: NodeJS.ProcessEnv): string =>
  resolve(given ?? (env['LIMINAL_DATA_DIR'] || join(homedir(), '.liminal-builder')));

/**
 * The announced address of a data directory's server. Null if none runs: a killed one leaves its file, and its port and
 * process id may belong to others by now.
 */
export function runningServer(dataDir: string): { readonly address: string; readonly pid: number } | null {
  try {
    const found = JSON.parse(readFileSync(join(dataDir, 'server.json'), 'utf8')) as Record<string, unknown>;
    const { address, pid, started } = found;
    if (typeof address !== 'string' || typeof pid !== 'number' || !isThere(pid)) return null;
    return typeof started === 'number' && started !== startOf(pid) ? null : { address, pid };
  } catch {
    return null;
  }
}

function isThere(pid: number): boolean {
  try {
    // Signal 0 only checks whether the process exists.
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const startOf = (pid: number): number | null => processStartIn(readFileSync(`/proc/${pid}/stat`, 'latin1'));

function tokenIn(dataDir: string): string | null {
  try {
    return readFileSync(join(dataDir, 'token'), 'utf8').trim() || null;
  } catch {
    return null;
  }
}

/**
 * The selected server: LIMINAL_URL with LIMINAL_TOKEN, or else the one running on the data directory. A token is never
 * a flag, because other users of the machine can read those.
 */
export function findServer(dataDirGiven: string | undefined, env: NodeJS.ProcessEnv): ApiResult<ConnectOptions> {
  const given = env['LIMINAL_TOKEN'] || null;
  const url = env['LIMINAL_URL'] || null;
  if (url !== null && dataDirGiven === undefined) {
    if (given === null) return refused('LIMINAL_URL is set, but LIMINAL_TOKEN is not. Set both.');
    return withAddress(url, given);
  }
  const dataDir = dataDirOf(dataDirGiven, env);
  const server = runningServer(dataDir);
  if (server === null) {
    return refused(
      `Liminal Builder isn't running with the data directory ${dataDir}. Start it with \`liminal start\`, or name another --data-dir.`,
    );
  }
  const token = given ?? tokenIn(dataDir);
  if (token === null) return refused(`The token in ${dataDir} can't be read. Set LIMINAL_TOKEN instead.`);
  // A server that listens on all interfaces also listens on loopback.
  return withAddress(server.address.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:'), token);
}

function withAddress(url: string, token: string): ApiResult<ConnectOptions> {
  const address = serverAddress(url);
  return address.ok ? { ok: true, value: { url: address.value.href, token } } : address;
}
