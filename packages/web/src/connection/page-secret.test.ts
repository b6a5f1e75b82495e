import { pageSecretHeader } from '@liminal/contracts';
import { describe, expect, it, test } from 'vitest';
import { safeStorage } from '../browser/storage.ts';
import { createPageFetch, createPageSecret, signIn, tokenIn, fromPage } from './page-secret.ts';

type Call = { path: string; headers: Record<string, string> };

function tabHistory() {
  let state: unknown = null;
  return {
    get state() {
      return state;
    },
    replaceState: (next: unknown) => void (state = next),
  };
}

function page(pathname = '/', answer: () => Response | Promise<Response> = () => new Response('{}')) {
  const storage = safeStorage(() => {
    throw new Error('no storage');
  });
  const calls: Call[] = [];
  const fetch = (async (path: string, init: { headers: Record<string, string> }) => {
    calls.push({ path, headers: init.headers });
    return answer();
  }) as unknown as typeof globalThis.fetch;
  const tab = tabHistory();
  const secret = createPageSecret(storage, tab, pathname);
  return { tab, calls, storage, secret, fetch: createPageFetch(secret, fetch, pathname) };
}

describe('the secret of the page', () => {
  it('is sent with every request, including one that another tab has renewed', async () => {
    const { calls, secret, fetch } = page();
    await fetch('/api/projects');
    secret.keep('first');
    await fetch('/api/projects', { headers: { 'content-type': 'application/json' } });
    secret.keep('second');
    await fetch('/api/projects');
    expect(calls.map(({ headers }) => headers[pageSecretHeader])).toEqual([undefined, 'first', 'second']);
    expect(calls[1]?.headers).toMatchObject({ 'content-type': 'application/json' });
  });

  it('is sent again with a request that was refused because it was renewed meanwhile', async () => {
    const { calls, secret, fetch } = page('/', () => {
      if (secret.read() === 'new') return new Response('{}');
      secret.keep('new');
      return new Response('{}', { status: 401 });
    });
    secret.keep('old');
    expect((await fetch('/api/preferences')).status).toBe(200);
    expect(calls.map(({ headers }) => headers[pageSecretHeader])).toEqual(['old', 'new']);
  });

  it('is not sent again if it is still the same', async () => {
    const { calls, secret, fetch } = page('/', () => new Response('{}', { status: 401 }));
    secret.keep('old');
    expect((await fetch('/api/preferences')).status).toBe(401);
    expect(calls.length).toBe(1);
  });

  it('is separate for each path a server is reached at', () => {
    const { storage, secret } = page('/desk/');
    secret.keep('of the desk');
    expect(createPageSecret(storage, tabHistory(), '/desk/index.html').read()).toBe('of the desk');
    expect(createPageSecret(storage, tabHistory(), '/workshop/').read()).toBeNull();
  });

  it('survives a reload of the tab if the browser refuses storage', () => {
    const { tab, secret } = page();
    secret.keep('kept');
    const afterReload = page().storage;
    expect(createPageSecret(afterReload, tab, '/').read()).toBe('kept');
    expect(createPageSecret(afterReload, tabHistory(), '/').read()).toBeNull();
  });

  it('is issued in exchange for the token', async () => {
    const { calls, fetch } = page('/desk/', () => Response.json({ secret: 's' }));
    expect(await signIn(fetch, 'the-token')).toEqual({ ok: true, secret: 's' });
    expect(calls).toMatchObject([{ path: '/desk/api/sign-in', headers: { authorization: 'Bearer the-token' } }]);
  });

  it.each([
    ['refused', () => new Response('{}', { status: 401 })],
    ['slowed', () => new Response('{}', { status: 429 })],
    ['unreachable', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('reports that signing in was %s', async (reason, answer) => {
    expect(await signIn(page('/', answer).fetch, 'x')).toEqual({ ok: false, reason });
  });

  it('is requested with the token, even if the user pasted the whole address', () => {
    expect(['abc ', 'http://127.0.0.1:4747/?token=abc', 'https://a.example/desk/?x=1&token=abc'].map(tokenIn)).toEqual(
      Array.from({ length: 3 }, () => 'abc'),
    );
    const special = 'a+b&c#d%25e=f?g/h';
    expect([special, `http://127.0.0.1:4747/?token=${encodeURIComponent(special)}`].map(tokenIn)).toEqual([
      special,
      special,
    ]);
  });
});

test.each([
  ['/', '/api/health'],
  ['/agents/', '/agents/api/health'],
  ['/agents/index.html', '/agents/api/health'],
])('builds addresses as seen from %s', (page, address) => {
  expect(fromPage('/api/health', page)).toBe(address);
});
