import { createHmac, timingSafeEqual } from 'node:crypto';

/** What the nodes of a cluster can tell of each other because they share a secret; the secret itself never leaves. */
export type Seal = {
  /** The same on every node of the cluster. */
  readonly proof: string;
  sign(...parts: readonly string[]): string;
  holds(signature: string, ...parts: readonly string[]): boolean;
  /** By this a token is known again; the token cannot be read from it. */
  tokenMark(token: string): string;
  /** By this the browsers are known that signed in with the token of this mark, on every node. */
  visitorKey(tokenMark: string): string;
};

export function createSeal(secret: string): Seal {
  const digest = (purpose: string, parts: readonly string[]): Buffer =>
    createHmac('sha256', secret)
      // As JSON, so no two lists of parts read the same.
      .update(JSON.stringify([purpose, ...parts]))
      .digest();
  return {
    proof: digest('proof', []).toString('base64url'),
    sign: (...parts) => digest('message', parts).toString('base64url'),
    holds(signature, ...parts) {
      const [given, expected] = [Buffer.from(signature, 'base64url'), digest('message', parts)];
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
    tokenMark: (token) => digest('token', [token]).toString('base64url'),
    visitorKey: (tokenMark) => digest('visitor', [tokenMark]).toString('base64url'),
  };
}
