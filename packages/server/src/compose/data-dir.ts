import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';
import { type Database, lockDatabase } from '../store/sqlite/open-database.ts';
import { makeToken, readToken } from './token-file.ts';

export type DataDir = {
  readonly path: string;
  readonly databasePath: string;
  /** The token that counts now. */
  token(): string;
  /** Makes a new token; the old one is void at once. A token the user gave is theirs to change. */
  rotateToken(): Result<string, 'NOT_SUPPORTED'>;
  /** Says where this server is, for the next one that is started on the same directory. */
  announce(address: string): void;
  /** Empty, and nobody's project: agents' own sign-ins run there. */
  signInFolder(): Promise<string>;
  release(): void;
};

/** Takes the data directory for this process alone; other files there are left alone. */
export function takeDataDir(path: string, givenToken: string | null): DataDir {
  const addressFile = addressFileOf(path);
  let lock: Database | null;
  let token: string;
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    keepPrivate(path);
    lock = lockDatabase(join(path, 'lock.sqlite'));
    // Where one was that is no more: nobody must be sent there.
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
        writeFileSync(addressFile, JSON.stringify({ address, pid: process.pid }), { mode: 0o600 });
      } catch {
        // A full disk: the next one then learns that a server runs here, but not where.
      }
    },
    async signInFolder() {
      const folder = join(path, 'sign-in');
      // Another sign-in may run there: what was left is cleared away once, by the first.
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

/** Nobody else may look into it. One that belongs to somebody else, or is shared on purpose, is no place for secrets. */
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

/** Where the server of a data directory said that it is, as long as it runs. */
export function readAnnounced(path: string): { readonly address: string; readonly pid: number } | null {
  try {
    return JSON.parse(readFileSync(addressFileOf(path), 'utf8')) as { address: string; pid: number };
  } catch {
    return null;
  }
}

function takenSentence(path: string): string {
  const there = readAnnounced(path);
  const where = there ? ` at ${there.address} (process ${there.pid})` : '';
  return `Liminal Builder is already running on ${path}${where}. Open that one, or start this one with another --data-dir.`;
}

/** The file the browser is opened with, as long as it is needed. */
export const redirectFile = (dataDir: string): string => join(dataDir, 'open.html');

/** The server cannot start, for a reason a user can mend: the message says what to do. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
