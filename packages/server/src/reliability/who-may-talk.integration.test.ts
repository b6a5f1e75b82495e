import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeDataDir } from '../compose/data-dir.ts';
import type { OfferedRoute } from '../http/build-app.ts';
import { createFakePty } from '../terminals/testing/fake-pty.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { report } from './testing/report.ts';
import { type Answer, type RawRequest, sendRequest, sendRawBytes, upgrade } from './testing/send-request.ts';
import { testTimeout } from './testing/torture.ts';
import { until } from './testing/until.ts';
import { type UnauthorizedRequest, unauthorizedRequests } from './testing/unauthorized-requests.ts';

/** Routes that need no token. The tests below find any other that answers without one. */
const openToAll = new Set(['GET /api/health', 'HEAD /api/health']);
const everyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'SEARCH'];

let root: string;
let server: TestServer;
let port: number;
let unauthorized: readonly UnauthorizedRequest[];
let own: { readonly sessionId: string; readonly projectId: string };
let terminalId: string;
const pty = createFakePty();
let token: string;
/** Handlers that ran, by route. They are behind the guard. */
const ran: string[] = [];
const noteHandler = (message: unknown): void => {
  const { request, route } = message as { request: FastifyRequest; route: { url?: string } };
  if (request.raw.socket.localPort === port) ran.push(`${request.method} ${route.url ?? 'nothing'}`);
};
const handlerStarts = 'tracing:fastify.request.handler:start';

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'liminal-guard-'));
  const [first, second] = [takeDataDir(join(root, 'a'), null), takeDataDir(join(root, 'b'), null)];
  token = first.token();
  const pageDir = join(root, 'page');
  mkdirSync(join(pageDir, 'assets'), { recursive: true });
  writeFileSync(join(pageDir, 'index.html'), 'the page');
  writeFileSync(join(pageDir, 'assets', 'app.js'), 'the script');
  const openPtys = async () => ({ open: async () => pty, close: async () => {} });
  server = await startTestServer({ token: first.token, rotateToken: first.rotateToken, pageDir, openPtys });
  server.served.app.post('/api/brand-new', async () => ({ reached: true }));
  server.served.app.server.prependListener('request', forgetful);
  port = await server.served.listen();
  unauthorized = unauthorizedRequests({ port, token, otherToken: second.token() });
  const create = { cliType: server.provider.cliType, projectDir: server.folder };
  const made = await sendRequest(port, withToken('POST', '/api/session/create', create));
  own = JSON.parse(made.text) as typeof own;
  writeFileSync(join(server.folder, 'kept.txt'), 'kept');
  const project = `/api/projects/${own.projectId}`;
  await sendRequest(port, withToken('POST', `${project}/trust`, { trusted: true }));
  const opened = await sendRequest(port, withToken('POST', `${project}/terminals`, {}));
  ({ terminalId } = JSON.parse(opened.text) as { terminalId: string });
  subscribe(handlerStarts, noteHandler);
  return () => {
    first.release();
    second.release();
  };
});
afterAll(async () => {
  unsubscribe(handlerStarts, noteHandler);
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

/** A handler that someone might add without the guard. */
function forgetful(request: IncomingMessage, reply: ServerResponse): void {
  if (request.url?.startsWith('/api/beside-the-guard')) reply.end('reached');
}

const withToken = (method: string, path: string, body?: object): RawRequest => ({
  method,
  path,
  headers: {
    host: `127.0.0.1:${port}`,
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  },
  body: body === undefined ? undefined : JSON.stringify(body),
});

/** The address of something that exists, so a refusal isn't due to an unknown id. */
const filled = (url: string): string =>
  url
    .replace('/projects/:id', `/projects/${own.projectId}`)
    .replace('/terminals/:id', `/terminals/${terminalId}`)
    .replace(':id', own.sessionId)
    .replace('*', 'app.js')
    .replaceAll(/:\w+/g, 'none');

const plain = (method: string, url: string): RawRequest => ({ method, path: filled(url), headers: {} });
const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';
const isRefusal = ({ status }: Answer): boolean => [400, 401, 403, 415, 421].includes(status);

/** Tries every unauthorized request at these routes. Returns their number and those that weren't refused. */
async function requestEverywhere(routes: readonly OfferedRoute[]): Promise<{ asked: number; admitted: string[] }> {
  const admitted: string[] = [];
  let asked = 0;
  for (const { url, methods } of routes) {
    for (const method of methods) {
      const name = `${method} ${url}`;
      for (const wrong of unauthorized) {
        if (!wrong.for.includes(isRead(method) ? 'read' : 'command')) continue;
        if (openToAll.has(name) && !wrong.always) continue;
        const answer = await sendRequest(port, wrong.change(plain(method, url)));
        asked += 1;
        const isExplained =
          method === 'HEAD' || answer.text.includes('"error"') || (url === '/' && answer.status === 401);
        if (!isRefusal(answer) || !isExplained) admitted.push(`${name} with ${wrong.name}: ${answer.status}`);
      }
    }
  }
  return { asked, admitted };
}

/** An address may match several routes: `/api/session/list` is also a session with the id "list". */
function isOffered(method: string, url: string): boolean {
  const fits = (pattern: string) => new RegExp(`^${pattern.replaceAll(/:\w+|\*/g, '[^/]+')}$`).test(url);
  return server.served.routes.some((route) => route.methods.includes(method) && fits(route.url));
}

/** Everything a request could have changed. */
function everything(): string {
  const { store, provider } = server;
  const settings = ['workspace', 'preferences'].map((key) => store.setting(key));
  return JSON.stringify([
    store.projects(),
    store.sessions(),
    settings,
    provider.sent,
    server.served.terminals.all(),
    pty.written,
    readdirSync(server.folder),
    readFileSync(join(server.folder, 'kept.txt'), 'utf8'),
    server.served.sockets.connections(),
  ]);
}

describe('access checks', { timeout: testTimeout }, () => {
  it(
    'TM-4: every route, including files and terminals, rejects every unauthorised request before anything happens',
    async () => {
      const before = everything();
      ran.length = 0;
      const { asked, admitted } = await requestEverywhere(server.served.routes);
      expect(admitted).toEqual([]);
      expect(ran).toEqual([]);
      expect(everything()).toBe(before);
      expect(server.served.routes.length).toBeGreaterThan(40);
      const guarded = server.served.routes.map(({ url }) => url.replace(/^\/api\/(projects\/:\w+\/)?/, ''));
      expect(guarded).toEqual(
        expect.arrayContaining(['tree', 'file', 'file/move', 'file/draft', 'grep', 'attachments', 'terminals']),
      );
      const found = `${admitted.length} admitted, ${ran.length} handlers reached`;
      report('Access', 'routes × unauthorised requests', `${asked} tried, ${found}`);
    },
    testTimeout,
  );

  it('the socket, and an upgrade anywhere else, rejects every unauthorised request before it opens', async () => {
    const paths = ['/ws', ...new Set(server.served.routes.map(({ url }) => filled(url)))];
    let asked = 0;
    const opened: string[] = [];
    for (const path of paths) {
      for (const wrong of unauthorized.filter((one) => one.for.includes('socket'))) {
        const { status } = await sendRequest(port, wrong.change({ method: 'GET', path, headers: upgrade }));
        asked += 1;
        if (![401, 403, 421, 400].includes(status)) opened.push(`${path} with ${wrong.name}: ${status}`);
      }
    }
    expect(opened).toEqual([]);
    for (const path of paths.slice(1)) {
      const request = withToken('GET', path);
      expect(await sendRequest(port, { ...request, headers: { ...request.headers, ...upgrade } })).toMatchObject({
        status: 404,
      });
    }
    expect(server.served.sockets.connections()).toBe(0);
    const request = withToken('GET', '/ws');
    expect(await sendRequest(port, { ...request, headers: { ...request.headers, ...upgrade } })).toMatchObject({
      status: 101,
    });
    await until(() => server.served.sockets.connections() === 0);
    report('Access', 'unauthorised sockets', `${asked} tried, ${opened.length} opened`);
  });

  it('unsupported methods are not found, with or without the token', async () => {
    const before = everything();
    ran.length = 0;
    let asked = 0;
    const admitted: string[] = [];
    for (const url of new Set(server.served.routes.map((route) => route.url))) {
      for (const method of everyMethod.filter((one) => !isOffered(one, url))) {
        const known = await sendRequest(port, { ...withToken(method, filled(url)) });
        const unknown = await sendRequest(port, { ...plain(method, url), headers: { host: `127.0.0.1:${port}` } });
        asked += 2;
        if (![404, 405].includes(known.status)) admitted.push(`${method} ${url}: ${known.status}`);
        if (unknown.status !== 401) admitted.push(`${method} ${url} without the token: ${unknown.status}`);
        expect(Object.keys(known.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    }
    expect(admitted).toEqual([]);
    expect(ran.filter((handler) => !handler.endsWith(' nothing'))).toEqual([]);
    expect(everything()).toBe(before);
    report('Access', 'unsupported methods', `${asked} tried, ${admitted.length} admitted`);
  });

  it('addresses written in odd ways don’t get around the guard', async () => {
    const host = `Host: 127.0.0.1:${port}\r\nConnection: close\r\n`;
    const odd = [
      '/api/health/../projects',
      '/api/health/%2e%2e/projects',
      '//api/projects',
      '/api//projects',
      '/API/projects',
      '/api/health;/../projects',
      '/api/health%00/projects',
      '/api/projects?/api/health',
      '/api/projects#/api/health',
      `http://127.0.0.1:${port}/api/projects`,
      '/assets/../../token',
      '/assets/%2e%2e/%2e%2e/token',
      '/assets/..%5c..%5ctoken',
      '*',
    ];
    for (const path of odd) {
      expect(await sendRawBytes(port, `GET ${path} HTTP/1.1\r\n${host}\r\n`), path).toMatch(/^HTTP\/1.1 4\d\d /);
    }
    const projects = 'GET /api/projects HTTP/1.';
    const authorised = `Authorization: Bearer ${token}\r\n`;
    for (const [name, bytes] of Object.entries({
      'no host, as HTTP/1.0 allows': `${projects}0\r\n${authorised}\r\n`,
      'two hosts': `${projects}1\r\n${host}Host: evil.example\r\n${authorised}\r\n`,
      'two hosts, ours last': `${projects}1\r\nHost: evil.example\r\n${host}${authorised}\r\n`,
      'another host in the address': `GET http://evil.example/api/projects HTTP/1.1\r\nHost: evil.example\r\n${authorised}Connection: close\r\n\r\n`,
      'a request hidden in the body of a refused one': `POST /api/projects HTTP/1.1\r\n${host}Content-Type: text/plain\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${projects}1\r\n${host}\r\n`,
    })) {
      const text = await sendRawBytes(port, bytes);
      expect(text, name).toMatch(/^HTTP\/1.1 4\d\d /);
      expect(text, name).not.toContain('HTTP/1.1 200');
    }
  });

  it('a new route is guarded automatically, and an unguarded one is detected', async () => {
    expect(server.served.routes).toContainEqual({ url: '/api/brand-new', methods: ['POST'] });
    expect(await sendRequest(port, withToken('POST', '/api/brand-new', {}))).toMatchObject({
      text: '{"reached":true}',
    });
    const { asked, admitted } = await requestEverywhere([{ url: '/api/beside-the-guard', methods: ['GET', 'POST'] }]);
    expect(admitted).toHaveLength(asked);
  });

  it('health reports only that the server is up', async () => {
    const health = await sendRequest(port, {
      method: 'GET',
      path: '/api/health',
      headers: { host: `127.0.0.1:${port}` },
    });
    expect(JSON.parse(health.text)).toEqual({ ok: true, version: 'test' });
    expect(health.headers).toMatchObject({ 'cross-origin-resource-policy': 'same-origin' });
  });
});
