import { pageSecretHeader, socketProtocols } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import { createGuard, type CheckedRequest } from './guard.ts';
import { createOrigins } from './origins.ts';
import { createVisitors, ownTokens } from './visitors.ts';
import { createWrongTokens } from './wrong-tokens.ts';

const token = 'a-secret-token-for-tests';
const tokens = ownTokens(() => token);
const visitors = createVisitors(tokens);
const hosts = () => ['127.0.0.1:4747', 'localhost:4747', '[::1]:4747'];
const guardAt = (publicUrl?: string) =>
  createGuard({
    tokens,
    visitors,
    origins: createOrigins(hosts, publicUrl),
    cookieName: () => 'liminal_4747',
    wrongTokens: createWrongTokens(),
  });
const guard = guardAt();
const own = 'http://localhost:4747';
const bearer = { authorization: `Bearer ${token}` };
const visitor = visitors.of(token);
const cookie = { cookie: `other=1; liminal_4747=${visitor.cookie}` };
const page = { [pageSecretHeader]: visitor.secret };
const offered = { 'sec-websocket-protocol': socketProtocols(visitor.secret).join(', ') };
const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const get = { method: 'GET' };
const index = { ...get, path: '/', isPageFile: true };
const socket = { ...get, path: '/ws', isUpgrade: true };
const check = (headers: CheckedRequest['headers'], change: Partial<CheckedRequest> = {}, by = guard): string | null =>
  by.admit({
    method: 'POST',
    path: '/api/session/create',
    isUpgrade: false,
    headers: { host: 'localhost:4747', ...headers },
    ...change,
  })?.code ?? null;

describe('access checks', () => {
  it.each([
    ['an API client with the token', check(bearer)],
    ['our own page with its secret', check({ ...page, origin: own })],
    ['our own page with its secret, regardless of cookies', check({ ...page, origin: own, cookie: 'liminal_4747=x' })],
    ['our own page reading', check(page, get)],
    ['a file of our own page', check({ ...cookie, 'sec-fetch-site': 'same-origin' }, { ...index, path: '/assets/x' })],
    [
      'our cookie behind others of the same name, set by another port',
      check({ cookie: `liminal_4747=evil; liminal_4747=; liminal_4747=${visitor.cookie}` }, index),
    ],
    [
      'a person who follows a link to the page',
      check({ ...cookie, ...navigation, 'sec-fetch-site': 'same-site' }, index),
    ],
    ['a first visit with the token in the address', check({}, { ...index, queryToken: token })],
    ['anyone asking for health', check({}, { ...get, path: '/api/health' })],
    ['a socket of our own page', check({ ...offered, origin: own }, socket)],
    ['a socket of an API client', check(bearer, socket)],
  ])('lets in %s', (_name, code) => expect(code).toBeNull());

  it.each([
    ['no token', check({}), 'UNAUTHORIZED'],
    ['a wrong token', check({ authorization: 'Bearer nope' }), 'UNAUTHORIZED'],
    ['a wrong secret', check({ [pageSecretHeader]: 'nope', origin: own }), 'UNAUTHORIZED'],
    ['the cookie as a secret', check({ [pageSecretHeader]: visitor.cookie, origin: own }), 'UNAUTHORIZED'],
    ['the secret as a token', check({ authorization: `Bearer ${visitor.secret}` }), 'UNAUTHORIZED'],
    ['a wrong cookie', check({ cookie: 'liminal_4747=nope' }, index), 'UNAUTHORIZED'],
    ['the secret as a cookie', check({ cookie: `liminal_4747=${visitor.secret}` }, index), 'UNAUTHORIZED'],
    ['the token itself as a cookie', check({ cookie: `liminal_4747=${token}` }, index), 'UNAUTHORIZED'],
    ['a cookie of another port', check({ cookie: `liminal_1=${visitor.cookie}` }, index), 'UNAUTHORIZED'],
    ['a command with a stolen cookie', check({ ...cookie, origin: own }), 'UNAUTHORIZED'],
    ['reading with a stolen cookie', check(cookie, get), 'UNAUTHORIZED'],
    ['a socket with a stolen cookie', check({ ...cookie, origin: own }, socket), 'UNAUTHORIZED'],
    ['the secret offered as a subprotocol without an upgrade', check({ ...offered, origin: own }), 'UNAUTHORIZED'],
    ['a token in the address of a command', check({}, { queryToken: token }), 'UNAUTHORIZED'],
    ['a foreign name that resolves to us', check({ ...bearer, host: 'evil.example:4747' }), 'FORBIDDEN_HOST'],
    ['our name on another port', check({ ...bearer, host: 'localhost:1' }), 'FORBIDDEN_HOST'],
    ['no host', check({ ...bearer, host: undefined }), 'FORBIDDEN_HOST'],
    ['health under a foreign name', check({ host: 'evil.example' }, { ...get, path: '/api/health' }), 'FORBIDDEN_HOST'],
    ['a foreign origin', check({ ...bearer, origin: 'https://evil.example' }), 'FORBIDDEN_ORIGIN'],
    ['a null origin', check({ ...bearer, origin: 'null' }), 'FORBIDDEN_ORIGIN'],
    ['another port’s origin', check({ ...page, origin: 'http://localhost:3000' }), 'FORBIDDEN_ORIGIN'],
    ['a command with the secret and no origin', check(page), 'FORBIDDEN_ORIGIN'],
    ['a socket with the secret and no origin', check(offered, socket), 'FORBIDDEN_ORIGIN'],
    [
      'a picture of another port’s page, with our cookie',
      check({ ...cookie, 'sec-fetch-site': 'same-site' }, { ...index, path: '/assets/x' }),
      'FORBIDDEN_ORIGIN',
    ],
    [
      'a frame of another port’s page',
      check({ ...cookie, ...navigation, 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-site' }, index),
      'FORBIDDEN_ORIGIN',
    ],
    [
      'a foreign page that guesses tokens in the address',
      check({ 'sec-fetch-site': 'cross-site' }, { ...index, queryToken: 'guess' }),
      'FORBIDDEN_ORIGIN',
    ],
    ['text', check({ ...bearer, 'content-type': 'text/plain' }), 'UNSUPPORTED_MEDIA_TYPE'],
    ['a form', check({ ...bearer, 'content-type': 'application/x-www-form-urlencoded' }), 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'a multipart form',
      check({ ...bearer, 'content-type': 'multipart/form-data; boundary=x' }),
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['almost JSON', check({ ...bearer, 'content-type': 'application/jsonp' }), 'UNSUPPORTED_MEDIA_TYPE'],
  ])('refuses %s', (_name, code, expected) => expect(code).toBe(expected));

  it('stops checking tokens after too many wrong ones, while our page keeps working', () => {
    const slow = guardAt();
    const guesses = Array.from({ length: 12 }, (_, n) => check({ authorization: `Bearer ${n}` }, {}, slow));
    expect(guesses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'UNAUTHORIZED'));
    expect([...guesses.slice(10), check(bearer, {}, slow)]).toEqual(
      Array.from({ length: 3 }, () => 'TOO_MANY_ATTEMPTS'),
    );
    expect(check({ ...page, origin: own }, {}, slow)).toBeNull();
    expect(check(bearer, { address: '10.0.0.9' }, slow)).toBeNull();
  });
});

describe('with a public address over https', () => {
  const behind = guardAt('https://agents.example.org/desk/');
  const at = (headers: CheckedRequest['headers']) =>
    check({ ...page, host: 'agents.example.org', ...headers }, {}, behind);
  it('accepts the page of that address, but not over plain http', () => {
    expect(at({ origin: 'https://agents.example.org' })).toBeNull();
    expect(at({ origin: 'http://agents.example.org' })).toBe('FORBIDDEN_ORIGIN');
    expect(check({ ...page, origin: own }, {}, behind)).toBeNull();
  });
});
