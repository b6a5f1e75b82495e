import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signatures and keys derived from the secret that the nodes of a cluster share. The secret itself is never sent. */
export type Seal = {
  /** The same on every node with the same secret. */
  readonly proof: string;
  sign(...parts: readonly string[]): string;
  holds(signature: string, ...parts: readonly string[]): boolean;
  /** Identifies a token without revealing it. */
  tokenMark(token: string): string;
  /** The key of all browsers that signed in with the token of this mark, the same on every node. */
  visitorKey(tokenMark: string): string;
};

export function createSeal(secret: string): Seal {
  const digest = (purpose: string, parts: readonly string[]): Buffer =>
    createHmac('sha256', secret)
      // JSON, so different lists of parts never have the same encoding.
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
