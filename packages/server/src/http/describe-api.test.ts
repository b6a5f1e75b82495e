import { operationId, routes } from '@liminal/contracts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

type Operation = {
  readonly operationId: string;
  readonly security?: unknown;
  readonly responses: Record<string, { content?: Record<string, { schema: { $ref?: string } }> }>;
};
type Document = {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, unknown> };
  readonly security: unknown;
};

let server: TestServer;
let document: Document;
beforeAll(async () => {
  server = await startTestServer();
  document = (await server.call('GET', '/api/openapi.json')).body as unknown as Document;
});
afterAll(() => server.close());

const operations = () => Object.values(document.paths).flatMap((ofPath) => Object.values(ofPath));

describe('the OpenAPI document', () => {
  it('is valid, and every reference in it resolves', async () => {
    const validator = new Validator();
    const checked = await validator.validate(structuredClone(document));
    expect(checked.errors ?? []).toEqual([]);
    const known = Object.keys(document.components.schemas);
    const named = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
    expect(named.filter((name) => !known.includes(name ?? ''))).toEqual([]);
    expect(known.filter((name) => !named.includes(name)).toSorted()).toEqual(['ClientMessageInput', 'ServerMessage']);
  });

  it('lists every route with its own name', () => {
    const ids = Object.entries(routes).flatMap(([group, ofGroup]) =>
      Object.keys(ofGroup).map((name) => operationId(group, name)),
    );
    expect(
      operations()
        .map((operation) => operation.operationId)
        .toSorted(),
    ).toEqual(ids.toSorted());
  });

  it('names its schemas as the contracts do', () => {
    const created = document.paths['/api/session/create']?.['post']?.responses['201'];
    expect(created?.content?.['application/json']?.schema).toEqual({ $ref: '#/components/schemas/CreateSessionReply' });
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['SessionSummary', 'PermissionRequest', 'UpsertObject', 'FailureReply']),
    );
  });

  it('requires the token for every route except the health check', () => {
    expect(document).toMatchObject({
      security: [{ bearer: [] }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    });
    const open = operations().filter(({ security }) => security !== undefined);
    expect(open.map((operation) => operation.operationId)).toEqual(['workbenchHealth']);
    expect(operations().every(({ responses }) => 'default' in responses)).toBe(true);
  });
});
