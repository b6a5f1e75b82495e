import type { ServerFetch } from '@liminal/client/call-routes';
import { describe, expect, it } from 'vitest';
import { createApi } from './api.ts';

type Call = { path: string; init: RequestInit };

function api(answer: () => Response | Promise<Response>, onUnauthorized?: () => void) {
  const calls: Call[] = [];
  const fetch = (async (path: string, init: RequestInit) => {
    calls.push({ path, init });
    return answer();
  }) as unknown as ServerFetch;
  const kept: string[] = [];
  return { calls, kept, api: createApi(fetch, onUnauthorized, (secret) => kept.push(secret)) };
}

describe('api', () => {
  it('sends JSON and parses the reply with its schema', async () => {
    const { api: client, calls } = api(() => Response.json({ turnId: 't1' }, { status: 202 }));
    const result = await client.session.send('a/b', { content: 'Hello', clientMessageId: 'c1' });
    expect(result).toEqual({ ok: true, value: { turnId: 't1' } });
    expect(calls[0]?.path).toBe('/api/session/a%2Fb/send');
    expect(calls[0]?.init).toMatchObject({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'Hello', clientMessageId: 'c1' }),
    });
  });

  it('sends no body and no content type if a route has no fields', async () => {
    const { api: client, calls } = api(() => new Response(null, { status: 204 }));
    expect((await client.session.withdraw('s', 't')).ok).toBe(true);
    expect(calls[0]?.init).not.toHaveProperty('body');
    expect(calls[0]?.init).not.toHaveProperty('headers');
    const wordy = api(() => Response.json({}));
    expect((await wordy.api.session.withdraw('s', 't')).ok).toBe(true);
  });

  it('keeps the new page secret after a token rotation, if there is one', async () => {
    const given = api(() => Response.json({ token: 't', secret: 'new' }));
    expect([(await given.api.rotateToken()).ok, given.kept]).toEqual([true, ['new']]);
    const none = api(() => Response.json({ token: 't' }));
    await none.api.rotateToken();
    expect(none.kept).toEqual([]);
  });

  it('returns the server’s own failure message', async () => {
    const { api: client } = api(() =>
      Response.json({ error: { code: 'PROJECT_DIR_INVALID', message: 'There is no such folder.' } }, { status: 400 }),
    );
    expect(await client.project.add({ dir: '/nope' })).toEqual({
      ok: false,
      failure: { code: 'PROJECT_DIR_INVALID', message: 'There is no such folder.' },
    });
  });

  it('reports that the server didn’t answer, or not in JSON', async () => {
    const gone = api(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(await gone.api.session.cancel('s')).toMatchObject({ ok: false, failure: { code: 'UNREACHABLE' } });
    const proxy = api(() => new Response('<html>', { status: 502 }));
    expect(await proxy.api.session.cancel('s')).toMatchObject({ ok: false, failure: { code: 'HTTP_502' } });
    const odd = api(() => Response.json({ other: 1 }));
    expect(await odd.api.session.send('s', { content: 'x' })).toMatchObject({
      ok: false,
      failure: { code: 'UNREADABLE' },
    });
  });

  it('keeps the secret from signing in and from a token rotation', async () => {
    const { api: client, kept } = api(() => Response.json({ secret: `secret ${kept.length + 1}` }));
    expect(await client.signIn('token')).toBeNull();
    expect((await client.rotateToken()).ok).toBe(true);
    expect(kept).toEqual(['secret 1', 'secret 2']);
    const refused = api(() => new Response('{}', { status: 401 }));
    expect(await refused.api.signIn('wrong')).toContain("isn't valid");
    expect(refused.kept).toEqual([]);
  });

  it('reports a missing token', async () => {
    let calls = 0;
    const { api: client } = api(
      () => Response.json({ error: { code: 'UNAUTHORIZED', message: 'No token' } }, { status: 401 }),
      () => (calls += 1),
    );
    await client.project.list();
    expect(calls).toBe(1);
  });
});
