import { createHmac, createHash, timingSafeEqual } from 'node:crypto';

/** The access tokens of this server, and the key that stands for each where the token itself must not be stored. */
export type Tokens = {
  /** Whether this token can be used to sign in now. */
  opens(token: string): boolean;
  /** The key that identifies browsers that signed in with this token. */
  keyOf(token: string): string;
  /** The keys of all tokens whose browsers are still signed in. */
  keys(): readonly string[];
};

/** A single server has one token. */
export const ownTokens = (token: () => string): Tokens => ({
  opens: (given) => sameSecret(given, token()),
  keyOf: (given) => given,
  keys: () => [token()],
});

/**
 * The credentials a browser gets for a token. Browsers send the cookie to every port of this host, and every port can
 * overwrite it, so it only gives access to the page's files. The secret stays with the page and gives access to
 * everything else. Neither can be derived from the other.
 */
export type Visitor = { readonly cookie: string; readonly secret: string };

export type Visitors = {
  of(token: string): Visitor;
  withSecret(secret: string): Visitor | undefined;
  hasCookie(cookie: string): boolean;
};

/** A browser's credentials derive from the token it signed in with, so rotating the token signs it out. */
export function createVisitors(tokens: Tokens): Visitors {
  const known = (): readonly Visitor[] => tokens.keys().map(visitorOf);
  return {
    of: (token) => visitorOf(tokens.keyOf(token)),
    withSecret: (secret) => known().find((visitor) => sameSecret(secret, visitor.secret)),
    hasCookie: (cookie) => known().some((visitor) => sameSecret(cookie, visitor.cookie)),
  };
}

function visitorOf(key: string): Visitor {
  const digest = (purpose: string) => createHmac('sha256', key).update(`liminal page ${purpose}`).digest('base64url');
  return { cookie: digest('cookie'), secret: digest('secret') };
}

/** Compares digests, so the timing reveals neither content nor length. */
function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
