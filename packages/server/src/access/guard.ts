import type { IncomingMessage } from 'node:http';
import { failures, type FailureCode, pageSecretHeader, secretInProtocols } from '@liminal/contracts';
import type { Origins } from './origins.ts';
import type { Tokens, Visitors } from './visitors.ts';
import type { WrongTokens } from './wrong-tokens.ts';

export type Refusal = { readonly code: FailureCode; readonly status: number; readonly message: string };

/** The parts of a request that the guard checks, the same for HTTP requests and WebSocket upgrades. */
export type CheckedRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** A token in the query string, as on a browser's first visit. */
  readonly queryToken?: string | undefined;
  readonly isUpgrade: boolean;
  /** A static file of the page. It contains no user data, and browsers fetch it without the page's secret. */
  readonly isPageFile?: boolean;
  /** The remote address of the connection. */
  readonly address?: string | undefined;
};

export type GuardOptions = {
  readonly tokens: Tokens;
  readonly visitors: Visitors;
  readonly origins: Origins;
  readonly cookieName: () => string;
  readonly wrongTokens: WrongTokens;
};

export type Guard = {
  /** Returns null if the request is allowed. */
  admit(request: CheckedRequest): Refusal | null;
  /** Checks an admitted client again: the token may have changed since. */
  recheck(request: CheckedRequest): Refusal | null;
};

const publicPaths = new Set(['/api/health']);

/**
 * Decides who may use the server. A wrong host or origin is refused before any secret is checked. Other ports of the
 * same host see and set the same cookies, so a cookie gives access only to the page's files.
 */
export function createGuard({ tokens, visitors, origins, cookieName, wrongTokens }: GuardOptions): Guard {
  const judge = (request: CheckedRequest, opens: (token: string) => Refusal | null): Refusal | null => {
    const { method, path, headers, queryToken, isUpgrade } = request;
    const host = one(headers['host']);
    if (!host || !origins.answersTo(host)) {
      return refusal(
        'FORBIDDEN_HOST',
        'This server only accepts requests to its own address. Open the link it printed.',
      );
    }
    const origin = one(headers['origin']);
    if (origin !== undefined && !origins.isOwn(origin)) {
      return refusal('FORBIDDEN_ORIGIN', "Other sites can't use this server.");
    }
    const isRead = (method === 'GET' || method === 'HEAD') && !isUpgrade;
    const media = one(headers['content-type']);
    if (!isRead && media !== undefined && !/^application\/json\s*(;|$)/i.test(media)) {
      return refusal('UNSUPPORTED_MEDIA_TYPE', 'Send JSON, with Content-Type: application/json.');
    }
    if (isRead && publicPaths.has(path)) return null;

    const bearer = bearerIn(headers);
    if (bearer !== undefined) return opens(bearer);
    const site = one(headers['sec-fetch-site']);
    // Images, scripts and frames of a page on another port carry our cookie and no origin. Sec-Fetch-Site shows where
    // they come from.
    const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none' && !isVisit(path, headers);
    const isOwnPage = origin !== undefined || site === 'same-origin';
    const fromElsewhere = refusal('FORBIDDEN_ORIGIN', "A browser's request must come from the server's own page.");
    if (isRead && isForeign) return fromElsewhere;
    if (queryToken !== undefined && isRead) return opens(queryToken);
    const secret = pageSecretIn(headers, isUpgrade);
    if (secret !== undefined) {
      if (!visitors.withSecret(secret)) return unauthorized();
      return isRead || isOwnPage ? null : fromElsewhere;
    }
    const isPageFile = isRead && request.isPageFile === true;
    return isPageFile && cookiesIn(headers, cookieName()).some(visitors.hasCookie) ? null : unauthorized();
  };
  return {
    admit: (request) =>
      judge(request, (token) => {
        const address = request.address ?? '';
        if (!wrongTokens.mayTry(address)) return tooMany();
        if (tokens.opens(token)) return null;
        wrongTokens.failed(address, token);
        return unauthorized();
      }),
    recheck: (request) => judge(request, (token) => (tokens.opens(token) ? null : unauthorized())),
  };
}

/** The headers of a request, with every Host header: of several, a proxy and this server may pick different ones. */
export const headersOf = (request: IncomingMessage): CheckedRequest['headers'] => ({
  ...request.headers,
  host: (request as Partial<IncomingMessage>).headersDistinct?.['host'] ?? request.headers.host,
});

export const bearerIn = (headers: CheckedRequest['headers']): string | undefined =>
  /^Bearer (.+)$/i.exec(one(headers['authorization']) ?? '')?.[1];

/** The page's secret, from its header, or from a subprotocol when a browser opens a socket. */
export const pageSecretIn = (headers: CheckedRequest['headers'], isUpgrade: boolean): string | undefined =>
  one(headers[pageSecretHeader]) ??
  (isUpgrade ? secretInProtocols(one(headers['sec-websocket-protocol']) ?? '') : undefined);

/** A top-level navigation to our page, such as a link on another site. */
const isVisit = (path: string, headers: CheckedRequest['headers']): boolean =>
  path === '/' && one(headers['sec-fetch-mode']) === 'navigate' && one(headers['sec-fetch-dest']) === 'document';

function refusal(code: FailureCode, message: string): Refusal {
  return { code, status: failures[code].http, message };
}

const unauthorized = () =>
  refusal(
    'UNAUTHORIZED',
    'The access token is missing or invalid. Open the link that Liminal Builder printed when it started.',
  );
const tooMany = () =>
  refusal('TOO_MANY_ATTEMPTS', 'Too many failed attempts from this address. Wait a few seconds, then try again.');

const one = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.join(', ');

/** Every cookie with this name: another port may have set one too, with a path that puts it first. */
function cookiesIn(headers: CheckedRequest['headers'], name: string): readonly string[] {
  return (one(headers['cookie']) ?? '').split(';').flatMap((part) => {
    const [key, ...value] = part.trim().split('=');
    return key === name ? [value.join('=')] : [];
  });
}

/** A URL without its query. */
export const pathOf = (url: string): string => url.split('?', 1)[0] ?? url;
