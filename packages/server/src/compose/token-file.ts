import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const shortest = 16;

const tokenFile = (dataDir: string): string => join(dataDir, 'token');

/** The token of a data directory, or null where there is none that would keep anybody out. */
export function readToken(dataDir: string): string | null {
  const file = tokenFile(dataDir);
  try {
    const token = readFileSync(file, 'utf8').trim();
    chmodSync(file, 0o600);
    return token.length >= shortest ? token : null;
  } catch {
    return null;
  }
}

/** A new token of 256 random bits, in the file before it is believed; the file is never half one and half the other. */
export function makeToken(dataDir: string): string {
  const token = randomBytes(32).toString('base64url');
  const file = tokenFile(dataDir);
  writeFileSync(`${file}.new`, `${token}\n`, { mode: 0o600 });
  // The mode above counts for a new file only: one may have been left there.
  chmodSync(`${file}.new`, 0o600);
  renameSync(`${file}.new`, file);
  return token;
}
