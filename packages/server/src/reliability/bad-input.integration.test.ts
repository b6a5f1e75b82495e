import { request } from 'node:http';
import { failures } from '@liminal/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, testToken } from '../testing/test-server.ts';
import { testTimeout } from './testing/torture.ts';
import { until } from './testing/until.ts';

type Schema = {
  readonly type?: string;
  readonly properties?: Record<string, Schema>;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
};
type Operation = {
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
};
type Route = { readonly method: string; readonly path: string; readonly body: Schema | undefined };
type Answer = { readonly status: number; readonly code: string | undefined; readonly text: string };

let server: TestServer;
let port: number;
let sessionId: string;
let routes: Route[];
beforeAll(async () => {
  server = await startTestServer();
  port = await server.served.listen();
  sessionId = await server.newSession();
  const document = (await server.call('GET', '/api/openapi.json')).body as unknown as {
    components: { schemas: Record<string, Schema> };
  };
  const { paths } = inlined(document, document.components.schemas) as {
    paths: Record<string, Record<string, Operation>>;
  };
  routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      body: operation.requestBody?.content['application/json'].schema,
    })),
  );
});
afterAll(() => server.close());

/** The same with every schema reference resolved. */
function inlined(value: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((each) => inlined(each, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const name = /^#\/components\/schemas\/(.+)$/.exec((value as { $ref?: string }).$ref ?? '')?.[1];
  if (name !== undefined) return inlined(schemas[name], schemas);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inlined(each, schemas)]));
}

/** Uses a real socket, because many invalid requests never reach a handler. */
function ask(
  method: string,
  path: string,
  body?: string | Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { port, host: '127.0.0.1', method, path, headers: { authorization: `Bearer ${testToken}`, ...headers } },
      (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, code: codeIn(text), text }));
        reply.on('error', reject);
      },
    );
    // A server may close after refusing, before it has read everything.
    sent.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EPIPE' || error.code === 'ECONNRESET' ? undefined : reject(error),
    );
    sent.end(body);
  });
}
const codeIn = (text: string): string | undefined => {
  try {
    return (JSON.parse(text) as { error?: { code?: string } }).error?.code;
  } catch {
    return undefined;
  }
};
const json = { 'content-type': 'application/json' };

/** A refusal with a known code and the status of that code, or success if the input was valid after all. */
function isCoded({ status, code }: Answer): boolean {
  if (status < 400) return true;
  return (
    status < 500 && code !== undefined && code in failures && failures[code as keyof typeof failures].http === status
  );
}

const fill = (path: string, value: string): string => path.replaceAll(/\{[^}]+\}/g, encodeURIComponent(value));
const withSession = (path: string): string => fill(path.replace('{id}', sessionId), 'none');

function sample(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return sample(schema.anyOf[0]);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, field]) => [name, sample(field)]));
    case 'array':
      return [];
    case 'boolean':
      return true;
    case 'number':
    case 'integer':
      return 1;
    case undefined:
    default:
      return 'x';
  }
}
const oddities: readonly unknown[] = [
  null,
  0,
  -1,
  1.5,
  true,
  '',
  'x'.repeat(100_000),
  '\0',
  [],
  [[]],
  {},
  { $ne: '' },
  [null],
  'Infinity',
];

/** Invalid bodies, then the sample with each field missing or replaced by something odd. */
function bodiesFor(schema: Schema): string[] {
  const whole = sample(schema);
  const fields = typeof whole === 'object' && whole !== null ? Object.keys(whole) : [];
  const changed = fields.flatMap((field) => [
    { ...(whole as object), [field]: undefined },
    ...oddities.map((oddity) => ({ ...(whole as object), [field]: oddity })),
  ]);
  return [...oddities, ...changed].map((body) => JSON.stringify(body));
}

/** Routes that would end or remove the session under test. They are called for another one. */
const endsSessions = (route: Route): boolean =>
  route.path.endsWith('/kill') || (route.method === 'DELETE' && route.path.endsWith('{id}'));

describe('every route of the API', () => {
  it('is in the OpenAPI document', () => {
    expect(routes.length).toBeGreaterThan(25);
    expect(routes.map((route) => `${route.method} ${route.path}`)).toContain('POST /api/session/{id}/send');
  });

  it(
    'answers odd bodies with a known code, never with an internal error',
    async () => {
      let asked = 0;
      for (const route of routes) {
        if (!route.body || endsSessions(route)) continue;
        for (const body of bodiesFor(route.body)) {
          const answer = await ask(route.method, withSession(route.path), body, json);
          asked += 1;
          expect(
            isCoded(answer),
            `${route.method} ${route.path} ${body.slice(0, 200)} → ${answer.status} ${answer.text.slice(0, 300)}`,
          ).toBe(true);
        }
      }
      console.info(`${asked} odd bodies to ${routes.length} routes`);
    },
    testTimeout,
  );

  it('answers unknown and malformed ids with a known code', async () => {
    for (const route of routes.filter(({ path }) => path.includes('{'))) {
      const body = route.body ? JSON.stringify(sample(route.body)) : undefined;
      for (const id of [
        'none',
        '..',
        '%',
        '\0',
        'ü😀',
        "'; DROP TABLE sessions; --",
        'x'.repeat(900),
        'x'.repeat(5_000),
        '__proto__',
        'constructor',
      ]) {
        const answer = await ask(route.method, fill(route.path, id), body, body === undefined ? {} : json);
        expect(
          isCoded(answer) && answer.status >= 400,
          `${route.method} ${route.path} with ${JSON.stringify(id.slice(0, 40))} → ${answer.status} ${answer.text.slice(0, 200)}`,
        ).toBe(true);
      }
    }
  });

  it(
    'answers broken JSON, other media types, and bodies that are too large',
    async () => {
      const large = Buffer.alloc(33 * 1024 * 1024, 0x20);
      for (const route of routes.filter(({ body }) => body !== undefined)) {
        const path = withSession(route.path);
        for (const broken of ['{', '{"a":', 'undefined', '{"__proto__":{"x":1}}', '\u0000']) {
          expect(await ask(route.method, path, broken, json)).toMatchObject({ status: 400, code: 'INVALID_REQUEST' });
        }
        for (const media of [
          'text/plain',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
          'application/jsonx',
        ]) {
          expect(await ask(route.method, path, '{}', { 'content-type': media })).toMatchObject({
            status: 415,
            code: 'UNSUPPORTED_MEDIA_TYPE',
          });
        }
        const length = { 'content-length': String(large.length) };
        expect(await ask(route.method, path, large, { ...json, ...length })).toMatchObject({
          status: 413,
          code: 'PAYLOAD_TOO_LARGE',
        });
      }
      // Even if the request doesn't declare its size.
      const chunked = await ask('POST', `/api/session/${sessionId}/send`, large, {
        ...json,
        'transfer-encoding': 'chunked',
      });
      expect(chunked).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
    },
    testTimeout,
  );

  it.each([
    ['GET', '/api/session/list', undefined, 400, 'PROJECT_ID_REQUIRED'],
    ['GET', '/api/session/list?projectId=none', undefined, 404, 'PROJECT_NOT_FOUND'],
    ['GET', '/api/session/list?projectId=a&projectId=b', undefined, 400, 'INVALID_REQUEST'],
    ['GET', '/api/session/list?projectId=none&scope=some', undefined, 400, 'INVALID_REQUEST'],
    ['GET', '/api/session/discover', undefined, 400, 'PROJECT_ID_REQUIRED'],
    ['GET', '/api/session/$/history?limit=0', undefined, 400, 'INVALID_REQUEST'],
    ['GET', '/api/session/$/history?limit=many', undefined, 400, 'INVALID_REQUEST'],
    ['GET', '/api/session/$/history?before=none', undefined, 404, 'TURN_NOT_FOUND'],
    ['GET', '/api/session/none/status', undefined, 404, 'SESSION_NOT_FOUND'],
    ['GET', '/api/session/$/items/none/output', undefined, 404, 'ITEM_NOT_FOUND'],
    ['GET', '/api/session/%E0%A4%A/status', undefined, 400, 'INVALID_REQUEST'],
    ['GET', '/api/nothing', undefined, 404, 'NOT_FOUND'],
    ['PUT', '/api/session/$/send', {}, 404, 'NOT_FOUND'],
    ['POST', '/api/session/create', { cliType: 'scripted' }, 400, 'INVALID_REQUEST'],
    ['POST', '/api/session/create', { cliType: 'none', projectDir: '/tmp' }, 400, 'UNSUPPORTED_CLI_TYPE'],
    ['POST', '/api/session/create', { cliType: 'scripted', projectDir: '~' }, 400, 'PROJECT_DIR_INVALID'],
    ['POST', '/api/session/create', { cliType: 'scripted', projectDir: 'relative/path' }, 400, 'PROJECT_DIR_INVALID'],
    ['POST', '/api/session/create', { cliType: 'scripted', projectDir: '/no/such/folder' }, 400, 'PROJECT_DIR_INVALID'],
    ['POST', '/api/session/create', { cliType: 'scripted', projectDir: '/etc/passwd' }, 400, 'PROJECT_DIR_INVALID'],
    ['POST', '/api/session/create', { cliType: 'scripted', projectId: 'none' }, 404, 'PROJECT_NOT_FOUND'],
    ['POST', '/api/projects', { dir: '' }, 400, 'INVALID_REQUEST'],
    ['POST', '/api/projects', { dir: '/tmp/\0' }, 400, 'PROJECT_DIR_INVALID'],
    ['POST', '/api/session/$/send', { content: '' }, 400, 'INVALID_REQUEST'],
    ['POST', '/api/session/$/send', { content: 'x', mode: 'shout' }, 400, 'INVALID_REQUEST'],
    [
      'POST',
      '/api/session/$/send',
      { content: 'x', images: [{ mimeType: 'image/svg+xml', data: 'x' }] },
      400,
      'INVALID_REQUEST',
    ],
    ['POST', '/api/session/none/send', { content: 'x' }, 404, 'SESSION_NOT_FOUND'],
    ['POST', '/api/session/$/permission', { requestId: 'none', optionId: 'yes' }, 404, 'PERMISSION_NOT_FOUND'],
    ['PATCH', '/api/session/$', { title: ' ' }, 400, 'INVALID_REQUEST'],
    ['PATCH', '/api/session/$/queue/none', { content: 'x' }, 404, 'TURN_NOT_FOUND'],
    ['DELETE', '/api/session/$/queue/none', undefined, 404, 'TURN_NOT_FOUND'],
    ['DELETE', '/api/projects/none', undefined, 404, 'PROJECT_NOT_FOUND'],
    ['POST', '/api/session/$/model', { modelId: 'x' }, 409, 'NOT_SUPPORTED'],
  ] as const)('%s %s %j answers %i %s', async (method, path, body, status, code) => {
    const answer = await ask(method, path.replace('$', sessionId), body && JSON.stringify(body), body ? json : {});
    expect([answer.status, answer.code], answer.text).toEqual([status, code]);
  });

  it('still works after all this', async () => {
    expect((await ask('GET', '/api/health')).status).toBe(200);
    const fresh = await server.newSession();
    const before = server.provider.sent.length;
    expect((await ask('POST', `/api/session/${fresh}/send`, '{"content":"hello"}', json)).status).toBe(202);
    await until(() => server.provider.sent.length > before);
  });
});
