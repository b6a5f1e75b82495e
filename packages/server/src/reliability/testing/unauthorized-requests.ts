import { pageSecretHeader, socketProtocols } from '@liminal/contracts';
import { createVisitors, ownTokens } from '../../access/visitors.ts';
import type { Headers, Knock } from './send-request.ts';

export type WrongWay = {
  readonly name: string;
  /** Whether it is tried with reads, commands or sockets: some are wrong only for some of them. */
  readonly for: readonly ('read' | 'command' | 'socket')[];
  /** Refused even where no token is needed. */
  readonly always: boolean;
  change(knock: Knock): Knock;
};

export type Secrets = { readonly port: number; readonly token: string; readonly otherToken: string };

const all = ['read', 'command', 'socket'] as const;
const hasBody = ['command', 'socket'] as const;

/** Every kind of unauthorised request, each wrong in only one respect. */
export function wrongWays({ port, token, otherToken }: Secrets): readonly WrongWay[] {
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
  const way = (
    name: string,
    headers: Headers,
    tried: WrongWay['for'] = all,
    always = false,
    more: (knock: Knock) => Partial<Knock> = () => ({}),
  ): WrongWay => ({
    name,
    for: tried,
    always,
    change: (knock) => ({ ...knock, headers: { ...knock.headers, ...headers }, ...more(knock) }),
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
  const withQuery = (value: string) => (knock: Knock) => ({
    path: `${knock.path}${knock.path.includes('?') ? '&' : '?'}token=${value}`,
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
    way('no token', { host: own }),
    way('no token, as our own page', { host: own, ...ownPage }),
    way('a wrong token', bearer(`Bearer ${'x'.repeat(43)}`)),
    way('half the token', bearer(`Bearer ${token.slice(0, -1)}`)),
    way('the token and more', bearer(`Bearer ${token}x`)),
    way('the token in another scheme', bearer(`Basic ${Buffer.from(`x:${token}`).toString('base64')}`)),
    way('the token of another data directory', bearer(`Bearer ${otherToken}`)),
    way('the cookie of another data directory', asCookie(stranger.cookie)),
    way('the secret of another data directory', asSecret(stranger.secret), hasBody),
    way('a wrong secret', asSecret('x'.repeat(43)), hasBody),
    way('the cookie as the secret', asSecret(visitor.cookie), hasBody),
    way('a stolen cookie and all else as our own page', { ...cookie, ...ownPage }, hasBody),
    way('a stolen cookie offered as a subprotocol', offered(visitor.cookie), hasBody),
    way('the secret of another data directory as a subprotocol', offered(stranger.secret), hasBody),
    way('the secret as a token', bearer(`Bearer ${visitor.secret}`)),
    way('the secret as a cookie', asCookie(visitor.secret)),
    way('a wrong cookie', asCookie('0'.repeat(64))),
    way('the token itself as a cookie', asCookie(token)),
    way('the cookie under the name of another port', asCookie(visitor.cookie, `liminal_${port + 1}`)),
    way('a wrong token in the address', { host: own }, all, false, withQuery('x'.repeat(43))),
    way('the token of another data directory in the address', { host: own }, all, false, withQuery(otherToken)),
    way('the token in the address of what is no read', { host: own }, hasBody, false, withQuery(token)),
    ...hosts.map((host) => way(`the host "${host}"`, { ...right, host }, all, true)),
    ...hosts.map((host) => way(`the host "${host}", as our own page`, { ...page, ...ownPage, host }, all, true)),
    ...origins.map((origin) => way(`the origin "${origin}"`, { ...right, origin }, all, true)),
    ...origins.map((origin) => way(`the origin "${origin}", with all our page has`, { ...page, origin }, all, true)),
    way('all our page has and no origin', page, hasBody),
    way('all our page has, from another port of this machine', { ...page, 'sec-fetch-site': 'same-site' }),
    way('all our page has, from another site', { ...page, 'sec-fetch-site': 'cross-site' }),
    ...media.map((type) =>
      way(`a body of ${type}`, { ...right, 'content-type': type }, ['command'], true, () => ({ body: 'a=1' })),
    ),
    ...media.map((type) =>
      way(
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
