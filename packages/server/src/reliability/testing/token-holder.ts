import { randomBytes } from 'node:crypto';
import { ok, type Result } from '@liminal/contracts';

export type TokenHolder = { readonly token: () => string; readonly rotateToken: () => Result<string> };

/** A token in memory that can be rotated, like the one in the data directory. */
export function createTokenHolder(): TokenHolder {
  const make = (): string => randomBytes(32).toString('base64url');
  let current = make();
  return {
    token: () => current,
    rotateToken: () => ok((current = make())),
  };
}
