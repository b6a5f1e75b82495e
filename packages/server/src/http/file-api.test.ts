import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, testToken, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
let base: string;
beforeEach(async () => {
  server = await startTestServer();
  mkdirSync(join(server.folder, 'src'));
  writeFileSync(join(server.folder, 'src/a.ts'), 'one\n');
  const added = await server.call<{ projectId: string }>('POST', '/api/projects', { dir: server.folder });
  base = `/api/projects/${added.body.projectId}`;
});
afterEach(() => server.close());

const save = async (headers: Record<string, string>, content = 'two\n') => {
  const reply = await server.served.app.inject({
    method: 'PUT',
    url: `${base}/file?path=src/a.ts`,
    headers: { authorization: `Bearer ${testToken}`, host: 'localhost:0', ...headers },
    payload: { content },
  });
  return {
    status: reply.statusCode,
    etag: reply.headers['etag'],
    body: reply.json<{ error?: { code: string; details?: { etag?: string } } }>(),
  };
};

describe('the files of a project over HTTP', () => {
  it('FL-3: saves only over the version that was read, and otherwise returns the current one', async () => {
    const opened = await server.call<{ etag: string; content: string }>('GET', `${base}/file?path=src/a.ts`);
    expect(opened).toMatchObject({ status: 200, body: { content: 'one\n', eol: 'lf' } });
    expect((await save({})).status).toBe(400);
    const saved = await save({ 'if-match': `"${opened.body.etag}"` });
    expect(saved.status).toBe(200);
    expect(readFileSync(join(server.folder, 'src/a.ts'), 'utf8')).toBe('two\n');
    const late = await save({ 'if-match': `"${opened.body.etag}"` }, 'three\n');
    expect([late.status, late.body.error?.code]).toEqual([412, 'FILE_CHANGED']);
    expect(`"${late.body.error?.details?.etag}"`).toBe(saved.etag);
    expect((await save({ 'if-none-match': '*' })).status).toBe(412);
  });

  it('FL-1: lists a folder, searches in it and restores deleted files', async () => {
    expect((await server.call('GET', `${base}/tree`)).body).toMatchObject({
      entries: [{ name: 'src', kind: 'folder' }],
      truncated: false,
    });
    const found = await server.served.app.inject({
      method: 'POST',
      url: `${base}/grep`,
      headers: { authorization: `Bearer ${testToken}`, host: 'localhost:0' },
      payload: { query: 'ONE' },
    });
    expect(
      found.body
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { path: 'src/a.ts', line: 1, column: 1, text: 'one' },
      { done: true, truncated: false },
    ]);
    const removed = await server.call<{ undoId: string }>('DELETE', `${base}/file?path=src/a.ts`);
    expect((await server.call('GET', `${base}/file?path=src/a.ts`)).status).toBe(404);
    await server.call('POST', `${base}/file/undo`, { undoId: removed.body.undoId });
    expect((await server.call('POST', `${base}/file/move`, { from: 'src/a.ts', to: 'b.ts' })).status).toBe(200);
    expect(readFileSync(join(server.folder, 'b.ts'), 'utf8')).toBe('one\n');
  });

  it('FL-3: keeps unsaved edits, and replaces none that its writer hasn’t seen', async () => {
    const draft = `${base}/file/draft?path=src/a.ts`;
    expect((await server.call('GET', draft)).body).toEqual({ draft: null });
    const kept = await server.call<{ version: string }>('PUT', draft, { text: 'mine', etag: 'e', replaces: null });
    const { version } = kept.body;
    const other = await server.call('PUT', draft, { text: 'other', etag: 'e', replaces: null });
    expect([other.status, other.body]).toMatchObject([409, { error: { code: 'STALE' } }]);
    expect((await server.call('GET', draft)).body).toMatchObject({ draft: { text: 'mine', version } });
    expect((await server.call('DELETE', `${draft}&version=${version}`)).status).toBe(200);
    expect((await server.call('GET', draft)).body).toEqual({ draft: null });
    expect(readFileSync(join(server.folder, 'src/a.ts'), 'utf8')).toBe('one\n');
  });

  it('FL-3: moves unsaved edits with their file, or with a folder above it', async () => {
    const textAt = async (path: string) =>
      (await server.call<{ draft: { text: string } | null }>('GET', `${base}/file/draft?path=${path}`)).body.draft
        ?.text;
    await server.call('PUT', `${base}/file/draft?path=src/a.ts`, { text: 'mine', etag: 'e', replaces: null });
    await server.call('POST', `${base}/file/move`, { from: 'src', to: 'lib' });
    expect([await textAt('src/a.ts'), await textAt('lib/a.ts')]).toEqual([undefined, 'mine']);
    await server.call('POST', `${base}/file/move`, { from: 'lib/a.ts', to: 'b.ts' });
    expect([await textAt('lib/a.ts'), await textAt('b.ts')]).toEqual([undefined, 'mine']);
    const refused = await server.call('POST', `${base}/file/move`, { from: 'b.ts', to: '../b.ts' });
    expect([refused.status, await textAt('b.ts')]).toEqual([400, 'mine']);
  });

  it('FL-4: writes an attached file outside the project, under a safe name', async () => {
    const data = Buffer.from('attached').toString('base64');
    const reply = await server.call<{ path: string }>('POST', `${base}/attachments`, { name: '../../x.log', data });
    expect(reply.status).toBe(201);
    expect(reply.body.path).toMatch(/-attachments\/[0-9a-f-]{36}\/x\.log$/);
    expect(readFileSync(reply.body.path, 'utf8')).toBe('attached');
  });

  it('G-1: answers PATH_REFUSED for paths that lead out of the project', async () => {
    const reply = await server.call<{ error: { code: string } }>('GET', `${base}/file?path=../../etc/passwd`);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'PATH_REFUSED']);
  });
});
