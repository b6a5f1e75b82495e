import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';
import { processStartIn } from '@liminal/domain/time/process-start';
import { readProcFile } from '../processes/read-proc-file.ts';
import { type Database, lockDatabase } from '../store/sqlite/open-database.ts';
import { makeToken, readToken } from './token-file.ts';

export type DataDir = {
  readonly path: string;
  readonly databasePath: string;
  /** The current token. */
  token(): string;
  /** Creates a new token and invalidates the old one at once. Fails for a token that the user set. */
  rotateToken(): Result<string, 'NOT_SUPPORTED'>;
  /** Records this server's address, for the next server that starts on the same directory. */
  announce(address: string): void;
  /** An empty folder that isn't a project. Agents' own sign-ins run there. */
  signInFolder(): Promise<string>;
  release(): void;
};

/** Locks the data directory for this process. Leaves other files there alone. */
export function takeDataDir(path: string, givenToken: string | null): DataDir {
  const addressFile = addressFileOf(path);
  let lock: Database | null;
  let token: string;
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    keepPrivate(path);
    lock = lockDatabase(join(path, 'lock.sqlite'));
    // The address of an earlier server: don't send anyone there.
    if (lock) rmSync(addressFile, { force: true });
    token = givenToken ?? (lock ? (readToken(path) ?? makeToken(path)) : '');
  } catch (error) {
    if (error instanceof StartFailure) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === undefined || code.startsWith('ERR_') ? message : code;
    throw new StartFailure(
      `Can't write to the data directory ${path} (${reason}). Check its permissions, or choose another with --data-dir.`,
    );
  }
  if (!lock) throw new StartFailure(takenSentence(path));
  const held = lock;
  let isSignInClear = false;
  return {
    path,
    databasePath: join(path, 'liminal.sqlite'),
    token: () => token,
    rotateToken() {
      if (givenToken !== null) return fail('NOT_SUPPORTED', givenTokenSentence);
      token = makeToken(path);
      return ok(token);
    },
    announce(address) {
      try {
        const announced: Announced = { address, pid: process.pid, started: startOf(process.pid) };
        writeFileSync(addressFile, JSON.stringify(announced), { mode: 0o600 });
      } catch {
        // The disk may be full. The next server then can't say where this one runs.
      }
    },
    async signInFolder() {
      const folder = join(path, 'sign-in');
      // Clear leftovers only once, before the first sign-in: another one may run there later.
      if (!isSignInClear) rmSync(folder, { recursive: true, force: true });
      isSignInClear = true;
      mkdirSync(folder, { recursive: true });
      return folder;
    },
    release() {
      for (const file of [addressFile, redirectFile(path)]) rmSync(file, { force: true });
      held.close();
    },
  };
}

/** Makes the directory private. Refuses one that belongs to another user or is shared on purpose. */
function keepPrivate(path: string): void {
  const { mode, uid } = statSync(path);
  const isOpen = (mode & 0o077) !== 0;
  const self = process.getuid?.() ?? uid;
  const isShared = (mode & 0o1000) !== 0 || (uid !== self && self !== 0);
  if (isOpen && isShared) {
    throw new StartFailure(
      `Other users of this machine can read ${path}. Choose a private directory with --data-dir. It is created if it doesn't exist.`,
    );
  }
  if (isOpen) chmodSync(path, 0o700);
}

export const givenTokenSentence =
  'The token comes from LIMINAL_TOKEN. Change that variable and restart Liminal Builder.';

const addressFileOf = (path: string): string => join(path, 'server.json');

/** `started` identifies the process, because its id may be used again. Missing where the system doesn't show it. */
type Announced = { readonly address: string; readonly pid: number; readonly started?: number | null };

/** The address that the running server wrote to its data directory. A killed server's doesn't count. */
export function readAnnounced(path: string): Announced | null {
  try {
    const found = JSON.parse(readFileSync(addressFileOf(path), 'utf8')) as Announced;
    const started = found.started ?? null;
    return started === null || started === startOf(found.pid) ? found : null;
  } catch {
    return null;
  }
}

/** Null if the process is gone, or on a system that doesn't show it. */
const startOf = (pid: number): number | null =>
  processStartIn(readProcFile(`/proc/${pid}/stat`)?.toString('latin1') ?? '');

function takenSentence(path: string): string {
  const there = readAnnounced(path);
  const where = there ? ` at ${there.address} (process ${there.pid})` : '';
  return `Liminal Builder is already running on ${path}${where}. Open that one, or start this one with another --data-dir.`;
}

/** The redirect file that the browser opens. It exists only until the browser has read it. */
export const redirectFile = (dataDir: string): string => join(dataDir, 'open.html');

/** The server can't start, for a reason the user can fix. The message says what to do. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
