import { spawnSync } from 'node:child_process';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import type { AddWebhookReply, WebhooksReply, WorkbenchEvent } from '@liminal/contracts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createMemoryStore } from '../store/memory/memory-store.ts';
import { portOf, startTestServer, testToken, type TestServerOptions } from '../testing/test-server.ts';

type Call = { readonly headers: IncomingHttpHeaders; readonly body: string };

const ends: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** A receiver that answers as configured, on any free port or the given one. */
async function startReceiver(answer: (reply: ServerResponse, calls: number) => void, port = 0) {
  const calls: Call[] = [];
  const server = createServer((request, reply) => {
    void text(request).then((body) => {
      calls.push({ headers: request.headers, body });
      answer(reply, calls.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  ends.push(close);
  const address = (server.address() as AddressInfo).port;
  return { calls, close, port: address, url: `http://127.0.0.1:${address}/hook?x=1` };
}

const accept = (reply: ServerResponse): void => void reply.writeHead(204).end();
const waitFor = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000 });

async function startServer(options: TestServerOptions = {}) {
  const limits = { webhookBackoffMs: () => 10, ...options.limits };
  const server = await startTestServer({ ...options, limits });
  await server.served.listen();
  ends.push(() => server.close());
  const add = async (body: object) => server.call<AddWebhookReply>('POST', '/api/webhooks', body);
  const last = async () => (await server.call<WebhooksReply>('GET', '/api/webhooks')).body.webhooks[0];
  return { ...server, add, last };
}

/** Uses Python's hmac if available, otherwise Web Crypto: neither is the code that signed it. */
async function verifiedElsewhere(secret: string, signature: string, body: string): Promise<boolean> {
  const [, seconds = '', digest = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
  const code =
    'import hmac,sys; s,t=sys.argv[1:3]; print(hmac.new(s.encode(),t.encode()+b"."+sys.stdin.buffer.read(),"sha256").hexdigest())';
  const python = spawnSync('python3', ['-c', code, secret, seconds], { input: body, encoding: 'utf8' });
  if (python.status === 0) return python.stdout.trim() === digest;
  const bytes = (value: string) => new TextEncoder().encode(value);
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes(secret), algorithm, false, ['verify']);
  return crypto.subtle.verify('HMAC', key, Buffer.from(digest, 'hex'), bytes(`${seconds}.${body}`));
}

describe('webhooks', () => {
  it('CL-4: deliver the selected events, signed, without text, title or token', async () => {
    const receiver = await startReceiver(accept);
    const server = await startServer();
    const { status, body: webhook } = await server.add({
      url: receiver.url,
      events: ['session-created', 'turn-ended'],
      allowPrivate: true,
    });
    expect(status).toBe(201);
    const sessionId = await server.newSession();
    await server.call('POST', `/api/session/${sessionId}/send`, { content: 'a private question' });
    await waitFor(() => expect(server.provider.sent).toHaveLength(1));
    server.provider.start(sessionId);
    server.provider.end(sessionId);
    await waitFor(() => expect(receiver.calls).toHaveLength(2));
    const events = receiver.calls.map(({ body }) => JSON.parse(body) as WorkbenchEvent);
    expect(events.map(({ kind, sessionId: id }) => [kind, id])).toEqual([
      ['session-created', sessionId],
      ['turn-ended', sessionId],
    ]);
    for (const { headers, body } of receiver.calls) {
      expect(headers['liminal-event-id']).toBe((JSON.parse(body) as WorkbenchEvent).id);
      expect(await verifiedElsewhere(webhook.secret, String(headers['liminal-signature']), body)).toBe(true);
      expect(await verifiedElsewhere(webhook.secret, String(headers['liminal-signature']), `${body} `)).toBe(false);
      for (const secret of [testToken, webhook.secret, 'a private question'])
        expect(JSON.stringify(headers) + body).not.toContain(secret);
    }
    await waitFor(async () => expect(await server.last()).toMatchObject({ pending: 0, last: { ok: true } }));
    expect(JSON.stringify(await server.last())).not.toContain(webhook.secret);
    expect((await server.call('DELETE', `/api/webhooks/${webhook.webhookId}`)).status).toBe(204);
    expect((await server.call('DELETE', `/api/webhooks/${webhook.webhookId}`)).status).toBe(404);
  });

  it('CL-4: reach a receiver that was down, under the same id, even after a restart of the server', async () => {
    const down = await startReceiver((reply) => reply.writeHead(503).end());
    const store = createMemoryStore();
    const first = await startServer({ store });
    await first.add({ url: down.url, events: ['session-created'], allowPrivate: true, includeTitle: true });
    await first.newSession();
    await waitFor(() => expect(down.calls.length).toBeGreaterThan(2));
    await down.close();
    await waitFor(async () => expect((await first.last())?.last?.message).toContain('ECONNREFUSED'));
    await first.close();
    const up = await startReceiver(accept, down.port);
    const second = await startServer({ store });
    await waitFor(async () => expect(await second.last()).toMatchObject({ pending: 0, last: { ok: true } }));
    expect(up.calls).toHaveLength(1);
    expect(JSON.parse(up.calls[0]?.body ?? '')).toHaveProperty('title');
    expect(new Set([...down.calls, ...up.calls].map(({ headers }) => headers['liminal-event-id'])).size).toBe(1);
  });

  it('CL-4: give up on a slow receiver for now, without delaying others', async () => {
    const slow = await startReceiver((reply, calls) => (calls > 1 ? accept(reply) : undefined));
    const quick = await startReceiver(accept);
    const server = await startServer({ limits: { webhookMs: 500 } });
    for (const { url } of [slow, quick]) await server.add({ url, events: ['session-created'], allowPrivate: true });
    await server.newSession();
    await waitFor(() => expect(quick.calls).toHaveLength(1));
    await waitFor(() => expect(slow.calls).toHaveLength(2));
    expect(slow.calls[0]?.headers['liminal-event-id']).toBe(slow.calls[1]?.headers['liminal-event-id']);
  });

  it('CL-4: retry after an invalid reply, and read nothing of an endless one', async () => {
    const heads: string[] = [];
    const liar = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (data) => {
        heads.push(data.toString('latin1'));
        // First not HTTP at all, then an unknown status, then "accepted" with an endless reply.
        if (heads.length === 1) return void socket.end('what do you want\r\n\r\n');
        if (heads.length === 2) return void socket.destroy();
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        const flood = setInterval(() => socket.write(`10000\r\n${'x'.repeat(0x10000)}\r\n`), 1);
        socket.once('close', () => clearInterval(flood));
      });
    });
    await new Promise<void>((resolve) => liar.listen(0, '127.0.0.1', resolve));
    ends.push(() => new Promise((resolve) => liar.close(resolve)));
    const server = await startServer();
    const url = `http://127.0.0.1:${(liar.address() as AddressInfo).port}/`;
    await server.add({ url, events: ['session-created'], allowPrivate: true });
    await server.newSession();
    await waitFor(async () => expect(await server.last()).toMatchObject({ pending: 0, last: { ok: true } }));
    const ids = heads.map((head) => /liminal-event-id: (\S+)/i.exec(head)?.[1]);
    expect(heads).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
    // The connection was closed although the other side continues.
    await waitFor(
      () =>
        new Promise<void>((resolve, reject) =>
          liar.getConnections((_error, count) => (count === 0 ? resolve() : reject(new Error(`${count} are open`)))),
        ),
    );
  });

  it('CL-4: follow no redirect, and connect only to an address that was checked', async () => {
    const inner = await startReceiver(accept);
    const liar = await startReceiver((reply) => reply.writeHead(307, { location: inner.url }).end());
    let address = '127.0.0.1';
    let lookups = 0;
    const server = await startServer({
      lookup: async () => {
        lookups += 1;
        return [address];
      },
    });
    expect((await server.add({ url: liar.url, events: ['session-created'], allowPrivate: true })).status).toBe(201);
    await server.newSession();
    await waitFor(async () => expect((await server.last())?.last?.message).toContain('redirect'));
    const { webhookId = '' } = (await server.last()) ?? {};
    await server.call('DELETE', `/api/webhooks/${webhookId}`);

    const named = `http://hooks.example:${inner.port}/`;
    expect((await server.add({ url: named, events: ['session-created'], allowPrivate: true })).status).toBe(201);
    address = '169.254.169.254';
    await server.newSession();
    await waitFor(async () => expect((await server.last())?.last?.message).toContain('never sent to'));
    expect(inner.calls).toEqual([]);
    address = '127.0.0.1';
    await waitFor(() => expect(inner.calls).toHaveLength(1));
    expect(inner.calls[0]?.headers.host).toBe(`hooks.example:${inner.port}`);
    const before = lookups;
    await server.newSession();
    await waitFor(() => expect(inner.calls).toHaveLength(2));
    expect(lookups).toBe(before + 1);
  });

  it('CL-4: refuse addresses that are our own, link-local, or private without permission', async () => {
    const server = await startServer({ lookup: async () => ['10.0.0.1', '::ffff:169.254.169.254'] });
    const own = portOf(server.served);
    const refused = async (url: string, allowPrivate = true) => {
      const { status, body } = await server.add({ url, allowPrivate });
      return [status, (body as unknown as { error: { message: string } }).error.message];
    };
    for (const url of [
      'http://169.254.169.254/latest',
      'http://[::ffff:169.254.169.254]/',
      'http://0xa9fea9fe/',
      'http://2852039166/',
      'http://named.example/',
      `http://127.0.0.1:${own}/`,
      `http://[::ffff:127.0.0.1]:${own}/`,
      `http://0.0.0.0:${own}/`,
    ])
      expect(await refused(url)).toEqual([400, expect.stringContaining('never sent to')]);
    expect(await refused('http://127.0.0.1:9/', false)).toEqual([400, expect.stringContaining('private addresses')]);
    expect(await refused('http://me:word@example.org/')).toEqual([400, expect.stringContaining('password')]);
    expect((await refused('file:///etc/passwd'))[0]).toBe(400);
    expect((await refused('http://['))[0]).toBe(400);
  });
});
