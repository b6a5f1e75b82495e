import { createHmac, createHash, timingSafeEqual } from 'node:crypto';

/** The tokens that open this server, and what stands for each of them where the token itself must not be kept. */
export type Tokens = {
  /** Whether somebody may sign in with this token now. */
  opens(token: string): boolean;
  /** What browsers that signed in with this token are known by. */
  keyOf(token: string): string;
  /** The keys of every token whose browsers are still welcome. */
  keys(): readonly string[];
};

/** One server by itself has one token. */
export const ownTokens = (token: () => string): Tokens => ({
  opens: (given) => sameSecret(given, token()),
  keyOf: (given) => given,
  keys: () => [token()],
});

/**
 * What a browser is given for a token. The cookie is sent to every port of this host and can be overwritten from there,
 * so it only shows the page; the secret stays with the page and is what opens the rest. Neither can be made from the other.
 */
export type Visitor = { readonly cookie: string; readonly secret: string };

export type Visitors = {
  of(token: string): Visitor;
  withSecret(secret: string): Visitor | undefined;
  hasCookie(cookie: string): boolean;
};

/** Browsers are known by the token they signed in with: when that changes, they are out. */
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

/** Compared as digests, so neither content nor length shows in the time it takes. */
function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
