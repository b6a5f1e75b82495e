import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { portOf, startTestServer, testToken, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const read = (id: string, query: string) =>
  server.served.app.inject({
    method: 'GET',
    url: `/api/session/${id}/image${query}`,
    headers: { authorization: `Bearer ${testToken}`, host: `localhost:${portOf(server.served)}` },
  });

describe('G-6: the raw image route', () => {
  it('sends the bytes with their own type, and no browser sniffs or runs them', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d', 'hex');
    writeFileSync(join(server.folder, 'a.png'), png);
    const reply = await read(await server.newSession(), '?path=a.png');
    expect(reply.statusCode).toBe(200);
    expect(reply.rawPayload).toEqual(png);
    expect(reply.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it('answers with a JSON failure if there is no such image', async () => {
    const id = await server.newSession();
    writeFileSync(join(server.folder, 'page.html'), '<script>1</script>');
    const codeOf = async (query: string, session = id) => {
      const reply = await read(session, query);
      expect(reply.headers['content-type']).toContain('application/json');
      return [reply.statusCode, reply.json<{ error: { code: string } }>().error.code];
    };
    expect(await codeOf('?path=page.html')).toEqual([409, 'NOT_SUPPORTED']);
    expect(await codeOf('?path=none.png')).toEqual([404, 'FILE_NOT_FOUND']);
    expect(await codeOf('?path=../../etc/passwd')).toEqual([400, 'PATH_REFUSED']);
    expect(await codeOf('')).toEqual([400, 'INVALID_REQUEST']);
    expect(await codeOf('?path=a.png', 'none')).toEqual([404, 'SESSION_NOT_FOUND']);
  });
});
