import { describe, expect, it } from 'vitest';
import { cookieValue, createGuard, type Knock } from './guard.ts';

const token = 'a-secret-token-for-tests';
const guard = createGuard({
  token: () => token,
  hosts: () => ['127.0.0.1:4747', 'localhost:4747', '[::1]:4747'],
  cookieName: () => 'liminal_4747',
});
const own = 'http://localhost:4747';
const bearer = { authorization: `Bearer ${token}` };
const cookie = { cookie: `other=1; liminal_4747=${cookieValue(token)}` };
const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const knock = (headers: Knock['headers'], change: Partial<Knock> = {}): string | null =>
  guard({
    method: 'POST',
    path: '/api/session/create',
    isUpgrade: false,
    headers: { host: 'localhost:4747', ...headers },
    ...change,
  })?.code ?? null;

describe('who may talk', () => {
  it.each([
    ['an API client with the token', knock(bearer)],
    ['our own page with its cookie', knock({ ...cookie, origin: own })],
    ['our own page reading', knock(cookie, { method: 'GET' })],
    [
      'our own page’s picture',
      knock({ ...cookie, 'sec-fetch-site': 'same-origin' }, { method: 'GET', path: '/assets/x' }),
    ],
    [
      'a person who follows a link to the page',
      knock({ ...cookie, ...navigation, 'sec-fetch-site': 'same-site' }, { method: 'GET', path: '/' }),
    ],
    [
      'a person who types the address',
      knock({ ...cookie, ...navigation, 'sec-fetch-site': 'none' }, { method: 'GET', path: '/api/projects' }),
    ],
    ['a first visit with the token in the address', knock({}, { method: 'GET', path: '/', queryToken: token })],
    ['anyone asking for health', knock({}, { method: 'GET', path: '/api/health' })],
    ['a socket of our own page', knock({ ...cookie, origin: own }, { method: 'GET', path: '/ws', isUpgrade: true })],
    ['a socket of an API client', knock(bearer, { method: 'GET', path: '/ws', isUpgrade: true })],
  ])('lets in %s', (_name, code) => expect(code).toBeNull());

  it.each([
    ['no token', knock({}), 'UNAUTHORIZED'],
    ['a wrong token', knock({ authorization: 'Bearer nope' }), 'UNAUTHORIZED'],
    ['a wrong cookie', knock({ cookie: 'liminal_4747=nope', origin: own }), 'UNAUTHORIZED'],
    ['the token itself as a cookie', knock({ cookie: `liminal_4747=${token}`, origin: own }), 'UNAUTHORIZED'],
    ['a cookie of another port', knock({ cookie: `liminal_1=${cookieValue(token)}`, origin: own }), 'UNAUTHORIZED'],
    ['a token in the address of a command', knock({}, { queryToken: token }), 'UNAUTHORIZED'],
    ['a name that resolves to us', knock({ ...bearer, host: 'evil.example:4747' }), 'FORBIDDEN_HOST'],
    ['our name on another port', knock({ ...bearer, host: 'localhost:1' }), 'FORBIDDEN_HOST'],
    ['no host', knock({ ...bearer, host: undefined }), 'FORBIDDEN_HOST'],
    [
      'health under a foreign name',
      knock({ host: 'evil.example' }, { method: 'GET', path: '/api/health' }),
      'FORBIDDEN_HOST',
    ],
    ['a foreign origin', knock({ ...bearer, origin: 'https://evil.example' }), 'FORBIDDEN_ORIGIN'],
    ['a null origin', knock({ ...bearer, origin: 'null' }), 'FORBIDDEN_ORIGIN'],
    ['another port’s origin', knock({ ...cookie, origin: 'http://localhost:3000' }), 'FORBIDDEN_ORIGIN'],
    ['a command with a cookie and no origin', knock(cookie), 'FORBIDDEN_ORIGIN'],
    [
      'a socket with a cookie and no origin',
      knock(cookie, { method: 'GET', path: '/ws', isUpgrade: true }),
      'FORBIDDEN_ORIGIN',
    ],
    [
      'a picture of another port’s page, with our cookie',
      knock({ ...cookie, 'sec-fetch-site': 'same-site' }, { method: 'GET', path: '/api/projects' }),
      'FORBIDDEN_ORIGIN',
    ],
    [
      'a frame of another port’s page',
      knock(
        { ...cookie, ...navigation, 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-site' },
        { method: 'GET', path: '/' },
      ),
      'FORBIDDEN_ORIGIN',
    ],
    [
      'a foreign link into the API',
      knock({ ...cookie, ...navigation, 'sec-fetch-site': 'cross-site' }, { method: 'GET', path: '/api/projects' }),
      'FORBIDDEN_ORIGIN',
    ],
    ['text', knock({ ...bearer, 'content-type': 'text/plain' }), 'UNSUPPORTED_MEDIA_TYPE'],
    ['a form', knock({ ...bearer, 'content-type': 'application/x-www-form-urlencoded' }), 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'a multipart form',
      knock({ ...bearer, 'content-type': 'multipart/form-data; boundary=x' }),
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['almost JSON', knock({ ...bearer, 'content-type': 'application/jsonp' }), 'UNSUPPORTED_MEDIA_TYPE'],
  ])('refuses %s', (_name, code, expected) => expect(code).toBe(expected));
});
