import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { FailureReply, RotateTokenReply } from '@liminal/contracts';
import { givenTokenSentence, readAnnounced } from './data-dir.ts';
import { lockDatabase } from '../store/sqlite/open-database.ts';
import { linkWithToken, makeToken, readToken } from './token-file.ts';

export type CommandEnd = { readonly sentence: string; readonly exitCode: number };

const usage = 'Usage: npx liminal token rotate|show [--json] [--data-dir DIR]';
const patienceMs = 10_000;

/** A result with its value for `--json`. */
export type Ended = CommandEnd & { readonly value?: object };
const said = (sentence: string, value: object): Ended => ({ sentence, exitCode: 0, value });
const failed = (sentence: string, exitCode = 1): Ended => ({ sentence, exitCode });

/** The result as text or JSON. Failures have the same shape as those of the other commands. */
export function inForm({ sentence, exitCode, value }: Ended, isJson: boolean): CommandEnd {
  if (!isJson) return { sentence, exitCode };
  const error = { code: exitCode === 2 ? 'USAGE' : 'FAILED', message: sentence };
  return { sentence: JSON.stringify(exitCode === 0 ? (value ?? {}) : { error }), exitCode };
}

/** `token rotate` creates a new token, even while a server runs. `token show` prints the address with the token. */
export async function runTokenCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<CommandEnd> {
  return inForm(await carryOut(args, env), args.includes('--json'));
}

async function carryOut(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const read = readCommand(args, env);
  if (!read) return failed(usage, 2);
  const { verb, dataDir } = read;
  if (!existsSync(dataDir)) return failed(`The data directory ${dataDir} doesn't exist. Set it with --data-dir.`);
  const given = env['LIMINAL_TOKEN'] || null;
  return verb === 'rotate' ? rotate(dataDir, given) : show(dataDir, given);
}

function readCommand(args: readonly string[], env: NodeJS.ProcessEnv) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { 'data-dir': { type: 'string' }, json: { type: 'boolean' } },
    });
    const [verb, ...more] = positionals;
    if ((verb !== 'rotate' && verb !== 'show') || more.length > 0) return null;
    const dataDir = values['data-dir'] ?? (env['LIMINAL_DATA_DIR'] || join(homedir(), '.liminal-builder'));
    return { verb, dataDir: resolve(dataDir) } as const;
  } catch {
    return null;
  }
}

const lockOf = (dataDir: string): string => join(dataDir, 'lock.sqlite');
const betweenSentence = (dataDir: string): string =>
  `Liminal Builder is starting or stopping on ${dataDir}. Try again in a moment.`;

function show(dataDir: string, given: string | null): Ended {
  const token = given ?? readToken(dataDir);
  if (token === null) return failed(`${dataDir} has no token yet. The first start creates one.`);
  // A killed server leaves its address, and any program may have its port by now. Only the lock says that it runs.
  const lock = lockDatabase(lockOf(dataDir));
  lock?.close();
  if (lock) return failed(`Liminal Builder isn't running on ${dataDir}. Start it to get its link.`);
  const there = readAnnounced(dataDir);
  if (!there) return failed(betweenSentence(dataDir));
  return said(`Liminal Builder is at ${linkWithToken(there.address, token)}`, { address: there.address, token });
}

async function rotate(dataDir: string, given: string | null): Promise<Ended> {
  const lock = lockDatabase(lockOf(dataDir));
  if (lock) {
    // Holding the lock means that no server runs here, and none can start meanwhile.
    try {
      if (given !== null) return failed(givenTokenSentence);
      const token = makeToken(dataDir);
      return said('Token rotated. The next start prints the new link.', { token });
    } finally {
      lock.close();
    }
  }
  const there = readAnnounced(dataDir);
  if (!there) return failed(betweenSentence(dataDir));
  return askServer(there.address, given ?? readToken(dataDir) ?? '');
}

/** A running server has the token in memory, so it must rotate the token itself. */
async function askServer(address: string, token: string): Promise<Ended> {
  try {
    const reply = await fetch(new URL('/api/token/rotate', address), {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(patienceMs),
    });
    const body: unknown = await reply.json();
    const rotated = RotateTokenReply.safeParse(body);
    if (reply.ok && rotated.data?.token !== undefined) {
      const next = linkWithToken(address, rotated.data.token);
      const sentence = `Token rotated, and every open connection closed. Liminal Builder is now at ${next}`;
      return said(sentence, { address, token: rotated.data.token });
    }
    if (reply.status === 401) {
      return failed(
        'The running server has another token. Set LIMINAL_TOKEN to the value the server was started with.',
      );
    }
    const reason = FailureReply.safeParse(body).data?.error.message ?? `It answered ${reply.status}.`;
    return failed(`The server didn't rotate its token. ${reason}`);
  } catch {
    return failed(`The server at ${address} isn't responding. Stop it, or try again in a moment.`);
  }
}
