import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartFailure } from './start-failure.ts';
import { type Database, lockDatabase } from './store/sqlite/open-database.ts';

export type DataDir = {
  readonly path: string;
  readonly databasePath: string;
  readonly token: string;
  /** Says where this server is, for the next one that is started on the same directory. */
  announce(address: string): void;
  /** Folder of the demo project, made on first use. */
  demoFolder(): Promise<string>;
  release(): void;
};

/** Takes the data directory for this process alone; other files there are left alone. */
export function takeDataDir(path: string, givenToken: string | null): DataDir {
  const addressFile = join(path, 'server.json');
  let lock: Database | null;
  let token: string;
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    lock = lockDatabase(join(path, 'lock.sqlite'));
    // Where one was that is no more: nobody must be sent there.
    if (lock) rmSync(addressFile, { force: true });
    token = givenToken ?? (lock ? readToken(join(path, 'token')) : '');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === undefined || code.startsWith('ERR_') ? message : code;
    throw new StartFailure(
      `The data directory ${path} cannot be written (${reason}). Check its permissions, or give another with --data-dir.`,
    );
  }
  if (!lock) throw new StartFailure(takenSentence(path, addressFile));
  const held = lock;
  return {
    path,
    databasePath: join(path, 'liminal.sqlite'),
    token,
    announce: (address) => writeFileSync(addressFile, JSON.stringify({ address, pid: process.pid }), { mode: 0o600 }),
    async demoFolder() {
      const folder = join(path, 'demo-project');
      mkdirSync(folder, { recursive: true });
      return folder;
    },
    release() {
      rmSync(addressFile, { force: true });
      held.close();
    },
  };
}

function takenSentence(path: string, addressFile: string): string {
  const where = readAddress(addressFile);
  return `Liminal Builder already runs on ${path}${where}. Open that one, or start this one with another --data-dir.`;
}

function readAddress(file: string): string {
  try {
    const { address, pid } = JSON.parse(readFileSync(file, 'utf8')) as { address: string; pid: number };
    return ` at ${address} (process ${pid})`;
  } catch {
    return '';
  }
}

function readToken(file: string): string {
  try {
    const token = readFileSync(file, 'utf8').trim();
    chmodSync(file, 0o600);
    if (token.length >= 16) return token;
  } catch {
    // None yet.
  }
  const token = randomBytes(32).toString('base64url');
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  return token;
}
