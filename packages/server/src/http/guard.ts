import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { failures, type FailureCode } from '@liminal/contracts';

export type Refusal = { readonly code: FailureCode; readonly status: number; readonly message: string };

/** What the guard looks at, of an HTTP request and of an upgrade alike. */
export type Knock = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** A token in the address, as the first visit of a browser brings it. */
  readonly queryToken?: string | undefined;
  readonly isUpgrade: boolean;
};

export type GuardOptions = {
  readonly token: () => string;
  /** Hosts, with port, that this server answers to; others could be names that were made to resolve to us. */
  readonly hosts: () => readonly string[];
  readonly cookieName: () => string;
  /** Whether another machine that works with this one has this token. */
  readonly acceptsToken?: ((token: string) => boolean) | undefined;
};

export type Guard = (knock: Knock) => Refusal | null;

const publicPaths = new Set(['/api/health']);

/**
 * The one door: who may talk to the server at all. A wrong host or origin is refused before the token is looked at;
 * a cookie counts only together with our own origin, because other ports of the same machine share its cookies.
 */
export function createGuard({ token, hosts, cookieName, acceptsToken }: GuardOptions): Guard {
  const opens = (given: string): boolean => sameSecret(given, token()) || acceptsToken?.(given) === true;
  return ({ method, path, headers, queryToken, isUpgrade }) => {
    const host = one(headers['host']);
    if (!host || !hosts().includes(host.toLowerCase())) {
      return refusal('FORBIDDEN_HOST', 'This server answers to its own address only. Open the address it printed.');
    }
    const origin = one(headers['origin']);
    if (origin !== undefined && !hosts().includes(hostOf(origin))) {
      return refusal('FORBIDDEN_ORIGIN', 'Other sites may not talk to this server.');
    }
    const isRead = (method === 'GET' || method === 'HEAD') && !isUpgrade;
    const media = one(headers['content-type']);
    if (!isRead && media !== undefined && !/^application\/json\s*(;|$)/i.test(media)) {
      return refusal('UNSUPPORTED_MEDIA_TYPE', 'Send JSON, with Content-Type: application/json.');
    }
    if (isRead && publicPaths.has(path)) return null;

    const bearer = /^Bearer (.+)$/i.exec(one(headers['authorization']) ?? '')?.[1];
    if (bearer !== undefined) return opens(bearer) ? null : unauthorized();
    if (queryToken !== undefined && isRead) return opens(queryToken) ? null : unauthorized();
    const cookie = cookieOf(one(headers['cookie']) ?? '', cookieName());
    if (cookie === undefined || !sameSecret(cookie, cookieValue(token()))) return unauthorized();
    const site = one(headers['sec-fetch-site']);
    const isOwnPage = origin !== undefined || site === 'same-origin';
    // Pictures, scripts and frames of another port's page carry our cookie and no origin: the browser says whose they are.
    const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none' && !isVisit(path, headers);
    if (isRead ? isForeign : !isOwnPage) {
      return refusal('FORBIDDEN_ORIGIN', 'A request with a cookie must come from our own page.');
    }
    return null;
  };
}

/** The headers of a request, with every host it names: a second one would be taken for the first further on, or not. */
export const headersOf = (request: IncomingMessage): Knock['headers'] => ({
  ...request.headers,
  host: (request as Partial<IncomingMessage>).headersDistinct?.['host'] ?? request.headers.host,
});

/** A link on some page that leads a person to ours, in a window of its own. */
const isVisit = (path: string, headers: Knock['headers']): boolean =>
  path === '/' && one(headers['sec-fetch-mode']) === 'navigate' && one(headers['sec-fetch-dest']) === 'document';

/** What the browser keeps instead of the token: worthless anywhere else, and void once the token changes. */
export const cookieValue = (token: string): string =>
  createHash('sha256').update(`liminal cookie ${token}`).digest('hex');

function refusal(code: FailureCode, message: string): Refusal {
  return { code, status: failures[code].http, message };
}

const unauthorized = () =>
  refusal(
    'UNAUTHORIZED',
    'The token is missing or wrong. Open the address that Liminal Builder printed when it started.',
  );

const one = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.join(', ');

function hostOf(origin: string): string {
  try {
    const url = new URL(origin);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.host : '';
  } catch {
    return '';
  }
}

function cookieOf(header: string, name: string): string | undefined {
  for (const part of header.split(';')) {
    const [key, ...value] = part.trim().split('=');
    if (key === name) return value.join('=');
  }
  return undefined;
}

/** Compared as digests, so that neither content nor length shows in the time it takes. */
function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
