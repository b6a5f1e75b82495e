import { SessionExport } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { portOf, startTestServer, testToken, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

/** A session with this many finished turns, each with its number as text. */
async function sessionWith(turns: number): Promise<string> {
  const id = await server.newSession();
  for (let index = 0; index < turns; index += 1) {
    const { body } = await server.call<{ turnId: string }>('POST', `/api/session/${id}/send`, { content: `m${index}` });
    await vi.waitFor(() => expect(server.provider.sent).toHaveLength(index + 1));
    server.provider.start(id);
    server.provider.say(id, `${body.turnId}:1:0`, `<b>answer ${index}</b>`, 'complete');
    server.provider.end(id);
  }
  return id;
}
const read = async (id: string, format: string) => {
  const { statusCode, headers, body } = await server.served.app.inject({
    method: 'GET',
    url: `/api/session/${id}/export?format=${format}`,
    headers: { authorization: `Bearer ${testToken}`, host: `localhost:${portOf(server.served)}` },
  });
  return { status: statusCode, headers, body };
};

describe('the export of a session', () => {
  it('has every turn in order, however many pages they take', async () => {
    const id = await sessionWith(120);
    const reply = await read(id, 'json');
    expect(reply.headers['content-type']).toContain('application/json');
    const { session, turns } = SessionExport.parse(JSON.parse(reply.body));
    expect(session).toMatchObject({ sessionId: id, cliType: 'scripted', title: 'm0' });
    const texts = turns.map(({ items }) => items.map((item) => (item.type === 'message' ? item.content : '')));
    expect(texts).toEqual(Array.from({ length: 120 }, (_, index) => [`m${index}`, `<b>answer ${index}</b>`]));
  });

  it('is a standalone file without scripts as HTML, and has no HTML as Markdown', async () => {
    const id = await sessionWith(1);
    const html = await read(id, 'html');
    expect(html.headers['content-disposition']).toBe('attachment; filename="session.html"');
    expect(html.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/);
    expect(html.body).toContain('&lt;b&gt;answer 0&lt;/b&gt;');
    const markdown = await read(id, 'md');
    expect(markdown.headers['content-type']).toContain('text/markdown');
    expect(markdown.body).toContain('&lt;b>answer 0&lt;/b>');
  });

  it('explains a bad request', async () => {
    const id = await server.newSession();
    expect((await read(id, 'pdf')).status).toBe(400);
    expect((await read('none', 'md')).status).toBe(404);
  });

  it('CL-5: can be imported with every turn, as a read-only session', async () => {
    const { body } = await read(await sessionWith(3), 'json');
    const exported = SessionExport.parse(JSON.parse(body));
    const { projects } = (await server.call<{ projects: { projectId: string }[] }>('GET', '/api/projects')).body;
    const url = `/api/projects/${projects[0]?.projectId}/import`;
    const { status, body: reply } = await server.call<{ sessionId: string }>('POST', url, exported);
    expect(status).toBe(201);
    const again = SessionExport.parse(JSON.parse((await read(reply.sessionId, 'json')).body));
    const without = ({ turns, session }: SessionExport) => ({
      title: session.title,
      turns: turns.map(({ turn, items }) => ({
        ...turn,
        items: items.map((item) => ({ ...item, sessionId: '', order: 0 })),
      })),
    });
    expect(without(again)).toEqual(without(exported));
    const answers = await Promise.all([
      server.call('POST', `/api/session/${reply.sessionId}/send`, { content: 'x' }),
      server.call('POST', `/api/session/${reply.sessionId}/load`, {}),
      server.call('POST', url, { ...exported, version: 2 }),
      server.call('POST', url, { ...exported, turns: [...exported.turns, ...exported.turns] }),
      server.call('POST', '/api/projects/nowhere/import', exported),
    ]);
    expect(answers.map((answer) => answer.body.error.code)).toEqual([
      'NOT_SUPPORTED',
      'NOT_SUPPORTED',
      'INVALID_REQUEST',
      'INVALID_REQUEST',
      'PROJECT_NOT_FOUND',
    ]);
  });
});
