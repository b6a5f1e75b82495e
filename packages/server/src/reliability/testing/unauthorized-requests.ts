import { pageSecretHeader, socketProtocols } from '@liminal/contracts';
import { createVisitors, ownTokens } from '../../access/visitors.ts';
import type { Headers, RawRequest } from './send-request.ts';

export type UnauthorizedRequest = {
  readonly name: string;
  /** What it is tried with: some requests are wrong only for some of these. */
  readonly for: readonly ('read' | 'command' | 'socket')[];
  /** Refused even where no token is needed. */
  readonly always: boolean;
  change(request: RawRequest): RawRequest;
};

export type Secrets = { readonly port: number; readonly token: string; readonly otherToken: string };

const all = ['read', 'command', 'socket'] as const;
const hasBody = ['command', 'socket'] as const;

/** Every kind of unauthorised request, each wrong in only one respect. */
export function unauthorizedRequests({ port, token, otherToken }: Secrets): readonly UnauthorizedRequest[] {
  const own = `127.0.0.1:${port}`;
  const cookieName = `liminal_${port}`;
  const right: Headers = { host: own, authorization: `Bearer ${token}` };
  const visitorOf = (given: string) => createVisitors(ownTokens(() => given)).of(given);
  const [visitor, stranger] = [visitorOf(token), visitorOf(otherToken)];
  const cookie: Headers = { host: own, cookie: `${cookieName}=${visitor.cookie}` };
  /** Everything our own page sends. */
  const page: Headers = {
    ...cookie,
    [pageSecretHeader]: visitor.secret,
    'sec-websocket-protocol': socketProtocols(visitor.secret).join(', '),
  };
  const ownPage: Headers = { origin: `http://${own}`, 'sec-fetch-site': 'same-origin' };
  const wrong = (
    name: string,
    headers: Headers,
    tried: UnauthorizedRequest['for'] = all,
    always = false,
    more: (request: RawRequest) => Partial<RawRequest> = () => ({}),
  ): UnauthorizedRequest => ({
    name,
    for: tried,
    always,
    change: (request) => ({ ...request, headers: { ...request.headers, ...headers }, ...more(request) }),
  });
  const bearer = (value: string): Headers => ({ host: own, authorization: value });
  const asCookie = (value: string, name = cookieName): Headers => ({
    host: own,
    ...ownPage,
    cookie: `${name}=${value}`,
  });
  const asSecret = (value: string): Headers => ({ ...cookie, ...ownPage, [pageSecretHeader]: value });
  const offered = (value: string): Headers => ({
    ...cookie,
    ...ownPage,
    'sec-websocket-protocol': socketProtocols(value).join(', '),
  });
  const withQuery = (value: string) => (request: RawRequest) => ({
    path: `${request.path}${request.path.includes('?') ? '&' : '?'}token=${value}`,
  });
  const hosts = [
    `evil.example:${port}`,
    `localtest.me:${port}`,
    `127.0.0.1.nip.io:${port}`,
    `localhost.evil.example:${port}`,
    `localhost.:${port}`,
    '127.0.0.1',
    `127.0.0.1:${port + 1}`,
    `0.0.0.0:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `2130706433:${port}`,
    '',
  ];
  const origins = [
    'https://evil.example',
    'null',
    `http://127.0.0.1:${port + 1}`,
    'http://127.0.0.1',
    `http://127.0.0.1:${port}.evil.example`,
    `http://evil.example:${port}`,
    `http://${own}@evil.example`,
    `ws://${own}`,
    'file://',
    '',
  ];
  const media = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=b', 'text/json'];
  return [
    wrong('no token', { host: own }),
    wrong('no token, as our own page', { host: own, ...ownPage }),
    wrong('a wrong token', bearer(`Bearer ${'x'.repeat(43)}`)),
    wrong('half the token', bearer(`Bearer ${token.slice(0, -1)}`)),
    wrong('the token and more', bearer(`Bearer ${token}x`)),
    wrong('the token in another scheme', bearer(`Basic ${Buffer.from(`x:${token}`).toString('base64')}`)),
    wrong('the token of another data directory', bearer(`Bearer ${otherToken}`)),
    wrong('the cookie of another data directory', asCookie(stranger.cookie)),
    wrong('the secret of another data directory', asSecret(stranger.secret), hasBody),
    wrong('a wrong secret', asSecret('x'.repeat(43)), hasBody),
    wrong('the cookie as the secret', asSecret(visitor.cookie), hasBody),
    wrong('a stolen cookie and all else as our own page', { ...cookie, ...ownPage }, hasBody),
    wrong('a stolen cookie offered as a subprotocol', offered(visitor.cookie), hasBody),
    wrong('the secret of another data directory as a subprotocol', offered(stranger.secret), hasBody),
    wrong('the secret as a token', bearer(`Bearer ${visitor.secret}`)),
    wrong('the secret as a cookie', asCookie(visitor.secret)),
    wrong('a wrong cookie', asCookie('0'.repeat(64))),
    wrong('the token itself as a cookie', asCookie(token)),
    wrong('the cookie under the name of another port', asCookie(visitor.cookie, `liminal_${port + 1}`)),
    wrong('a wrong token in the address', { host: own }, all, false, withQuery('x'.repeat(43))),
    wrong('the token of another data directory in the address', { host: own }, all, false, withQuery(otherToken)),
    wrong('the token in the address of what is no read', { host: own }, hasBody, false, withQuery(token)),
    ...hosts.map((host) => wrong(`the host "${host}"`, { ...right, host }, all, true)),
    ...hosts.map((host) => wrong(`the host "${host}", as our own page`, { ...page, ...ownPage, host }, all, true)),
    ...origins.map((origin) => wrong(`the origin "${origin}"`, { ...right, origin }, all, true)),
    ...origins.map((origin) => wrong(`the origin "${origin}", with all our page has`, { ...page, origin }, all, true)),
    wrong('all our page has and no origin', page, hasBody),
    wrong('all our page has, from another port of this machine', { ...page, 'sec-fetch-site': 'same-site' }),
    wrong('all our page has, from another site', { ...page, 'sec-fetch-site': 'cross-site' }),
    ...media.map((type) =>
      wrong(`a body of ${type}`, { ...right, 'content-type': type }, ['command'], true, () => ({ body: 'a=1' })),
    ),
    ...media.map((type) =>
      wrong(
        `a body of ${type}, as our own page`,
        { ...page, ...ownPage, 'content-type': type },
        ['command'],
        true,
        () => ({
          body: '{}',
        }),
      ),
    ),
  ];
}
