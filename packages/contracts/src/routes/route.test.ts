import { describe, expect, it } from 'vitest';
import { argumentsOf, argumentsSchema, operationId, requestOf, routes, type Route } from '../index.ts';

const all = Object.entries(routes).flatMap(([group, ofGroup]) =>
  Object.entries<Route>(ofGroup).map(([name, route]) => ({ id: operationId(group, name), route })),
);

describe('the table of routes', () => {
  it('has each method and path once, and each operation id once', () => {
    const addresses = all.map(({ route }) => `${route.method} ${route.path}`);
    expect(new Set(addresses).size).toBe(addresses.length);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  it.each(all.filter(({ route }) => route.machine === 'session'))(
    '$id has its session id first, so other machines know whose it is',
    ({ route }) => {
      expect(route.path).toMatch(/^\/api\/session\/:id(\/|$)/);
    },
  );
});

describe('a call and its request', () => {
  it('carries path, query and body to the handler in the caller’s order', () => {
    const { path, body } = requestOf(routes.session.editQueued, ['a/b', 'turn 1', { content: 'new' }]);
    expect(path).toBe('/api/session/a%2Fb/queue/turn%201');
    const request = { params: { id: 'a/b', turnId: 'turn 1' }, query: {}, body };
    expect(argumentsOf(routes.session.editQueued, request)).toEqual(['a/b', 'turn 1', { content: 'new' }]);
  });

  it('omits empty and missing values from the query', () => {
    expect(requestOf(routes.session.list, [{ projectId: 'p&q', scope: undefined }]).path).toBe(
      '/api/session/list?projectId=p%26q',
    );
    expect(requestOf(routes.workbench.folders, [{ path: '', prefix: '' }]).path).toBe('/api/folders');
  });

  it('parses arguments from another machine with the route’s schemas, reading null as missing', () => {
    const schema = argumentsSchema(routes.session.load);
    expect(schema.safeParse(['s1', null]).data).toEqual(['s1', {}]);
    expect(schema.safeParse(['', {}]).success).toBe(false);
    expect(argumentsSchema(routes.session.setModel).safeParse(['s1', {}]).success).toBe(false);
  });
});
