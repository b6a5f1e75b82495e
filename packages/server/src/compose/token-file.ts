import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const shortest = 16;

const tokenFile = (dataDir: string): string => join(dataDir, 'token');

/** The token of a data directory, or null if it has none or only one that is too short. */
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

/** Creates a token of 256 random bits. It is written to disk first, and the file is replaced atomically. */
export function makeToken(dataDir: string): string {
  const token = randomBytes(32).toString('base64url');
  const file = tokenFile(dataDir);
  writeFileSync(`${file}.new`, `${token}\n`, { mode: 0o600 });
  // The mode above applies only to a new file, and an old one may have been left there.
  chmodSync(`${file}.new`, 0o600);
  renameSync(`${file}.new`, file);
  return token;
}

/** The link that signs a browser in. A token of the user may have characters with a meaning in an address. */
export const linkWithToken = (address: string, token: string): string =>
  `${address}?token=${encodeURIComponent(token)}`;
