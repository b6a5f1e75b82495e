import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pageSecretHeader } from '@liminal/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestServerOptions, testToken } from '../testing/test-server.ts';
import { type Answer, type Headers, sendRequest, sendRawBytes } from './testing/send-request.ts';
import { report } from './testing/report.ts';
import { scaled, testTimeout } from './testing/torture.ts';

let root: string;
const servers: TestServer[] = [];
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'liminal-requests-'));
  mkdirSync(join(root, 'assets'));
  writeFileSync(join(root, 'index.html'), 'the page');
  writeFileSync(join(root, 'assets', 'app.js'), 'the script');
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  rmSync(root, { recursive: true, force: true });
});

async function start(options: TestServerOptions = {}): Promise<number> {
  const server = await startTestServer({ pageDir: root, ...options });
  servers.push(server);
  return server.served.listen();
}
const bearer = (port: number, token = testToken): Headers => ({
  host: `127.0.0.1:${port}`,
  authorization: `Bearer ${token}`,
});

/** Sends the headers of a request, then its body byte by byte, until it is disconnected. */
async function drip(port: number, headers: Headers): Promise<string> {
  const socket = createConnection(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  socket.on('error', () => socket.destroy());
  const all = { ...headers, 'content-type': 'application/json', 'content-length': '1000000' };
  const lines = Object.entries(all).map((line) => line.join(': '));
  socket.write(`POST /api/projects HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  const timer = setInterval(() => socket.write(' '), 5);
  await new Promise((resolve) => socket.on('close', resolve));
  clearInterval(timer);
  return text;
}

describe('a slow request', { timeout: testTimeout }, () => {
  it('is cut off when its body has not arrived in time', async () => {
    const port = await start({ limits: { requestMs: 200 } });
    expect(await drip(port, bearer(port))).toMatch(/^HTTP\/1.1 408 /);
  });

  it('is answered if it was rejected, and is cut off even while it keeps sending', async () => {
    const port = await start({ limits: { refusedBodyMs: 100 } });
    expect(await drip(port, { host: `127.0.0.1:${port}` })).toMatch(/^HTTP\/1.1 401 /);
    expect(await drip(port, { ...bearer(port), origin: 'https://evil.example' })).toMatch(/^HTTP\/1.1 403 /);
  });
});

describe('a body', () => {
  it.each([
    ['30 MB of lists in lists', () => '['.repeat(30_000_000)],
    ['30 MB of objects in objects', () => '{"a":'.repeat(6_000_000)],
    ['30 MB of small parts', () => `[${'[],'.repeat(10_000_000)}1]`],
  ])('of %s is refused before it is parsed', async (_what, body) => {
    const port = await start();
    const headers = { ...bearer(port), 'content-type': 'application/json' };
    const answer = await sendRequest(port, { method: 'POST', path: '/api/projects', headers, body: body() });
    expect([answer.status, answer.text]).toEqual([413, expect.stringContaining('nested too deeply')]);
  });
});

describe('an address that leads out', () => {
  it.each(['/assets/../x', '/assets/%2e%2e/x', '/assets/../../token', '/assets/..%2f..%2ftoken', '/assets/none.js'])(
    '%s is not found',
    async (path) => {
      const port = await start();
      const head = Object.entries({ ...bearer(port), connection: 'close' }).map((line) => line.join(': '));
      const text = await sendRawBytes(port, `GET ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`);
      expect(text).toMatch(/^HTTP\/1.1 404 /);
    },
  );
});

describe('behind an https address', () => {
  const host = 'agents.example.org';
  const visit = (port: number, to: string): Promise<Answer> =>
    sendRequest(port, { method: 'GET', path: `/?token=${testToken}`, headers: { host: to } });
  it('cookies are Secure and browsers must use https, except on this machine itself', async () => {
    const port = await start({ publicUrl: `https://${host}/desk/` });
    const [outside, inside] = [await visit(port, host), await visit(port, `127.0.0.1:${port}`)];
    expect(String(outside.headers['set-cookie'])).toMatch(/HttpOnly; Secure; SameSite=Strict/);
    expect(outside.headers['strict-transport-security']).toMatch(/max-age=\d{8}/);
    expect(String(inside.headers['set-cookie'])).not.toContain('Secure');
    expect(inside.headers['strict-transport-security']).toBeUndefined();
  });

  it('a page from that name over plain http is refused', async () => {
    const port = await start({ publicUrl: `https://${host}/` });
    const from = (origin: string) =>
      sendRequest(port, { method: 'POST', path: '/api/sign-in', headers: { ...bearer(port), host, origin } });
    expect([(await from(`http://${host}`)).status, (await from(`https://${host}`)).status]).toEqual([403, 200]);
  });
});

describe('guessing', () => {
  it('is slowed down, while the page and other addresses continue', async () => {
    const port = await start();
    const reads = (headers: Headers) => sendRequest(port, { method: 'GET', path: '/api/projects', headers });
    const signed = await sendRequest(port, { method: 'POST', path: '/api/sign-in', headers: bearer(port) });
    const { secret } = JSON.parse(signed.text) as { secret: string };
    const guesses = scaled(100, 5_000);
    const statuses: number[] = [];
    for (let guess = 0; guess < guesses; guess += 1)
      statuses.push((await reads(bearer(port, `guess-${guess}`))).status);
    const compared = statuses.filter((status) => status === 401).length;
    expect(statuses.filter((status) => status === 429)).toHaveLength(guesses - compared);
    expect(statuses.at(-1)).toBe(429);
    expect((await reads(bearer(port, 'one-more-guess'))).headers['retry-after']).toBeDefined();
    expect((await reads({ host: `127.0.0.1:${port}`, [pageSecretHeader]: secret })).status).toBe(200);
    report(
      'Guessing',
      'wrong tokens from one address',
      `${guesses} tried, ${compared} compared, the rest answered 429`,
    );
  });
});
