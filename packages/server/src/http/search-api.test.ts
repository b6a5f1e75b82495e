import { snippetMarks, type SearchReply } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const search = async (q: string, more = '') =>
  (await server.call<SearchReply>('GET', `/api/search?q=${encodeURIComponent(q)}${more}`)).body.hits;

async function conversation(question: string, answer: string): Promise<string> {
  const id = await server.newSession();
  const sent = server.provider.sent.length;
  const { turnId } = (await server.call<{ turnId: string }>('POST', `/api/session/${id}/send`, { content: question }))
    .body;
  await vi.waitFor(() => expect(server.provider.sent).toHaveLength(sent + 1));
  server.provider.start(id);
  server.provider.say(id, `${turnId}:1:0`, answer, 'complete');
  server.provider.end(id);
  await server.served.writer.flush();
  return id;
}

describe('searching all sessions', () => {
  it('finds titles first, then messages, with a highlighted snippet and its position', async () => {
    const first = await conversation('How do giraffes sleep?', 'Standing, for some minutes.');
    const second = await conversation('Another thing', 'A giraffe has seven neck bones.');
    const hits = await search('giraffe');
    expect(hits.map(({ where, sessionId, origin }) => [where, sessionId, origin])).toEqual([
      ['title', first, undefined],
      ['item', second, 'agent'],
      ['item', first, 'user'],
    ]);
    expect(hits[1]).toMatchObject({
      title: 'Another thing',
      cliType: 'scripted',
      archived: false,
      itemType: 'message',
      itemId: expect.stringMatching(/:1:0$/) as string,
      snippet: 'A \u0002giraffe\u0003 has seven neck bones.',
    });
    expect(await search('giraffe', '&limit=1')).toHaveLength(1);
  });

  it('finds everything in one session, and reports which sessions have more matches than listed', async () => {
    const id = await conversation('heron one', '**heron** two');
    await conversation('Other', 'heron elsewhere');
    for (const text of ['heron three', 'heron four']) {
      const sent = server.provider.sent.length;
      await server.call('POST', `/api/session/${id}/send`, { content: text });
      await vi.waitFor(() => expect(server.provider.sent).toHaveLength(sent + 1));
      server.provider.start(id);
      server.provider.end(id);
    }
    await server.served.writer.flush();
    const inOne = await search('heron', `&sessionId=${id}`);
    expect(
      inOne.map(({ snippet }) => snippet.replaceAll(snippetMarks.start, '').replaceAll(snippetMarks.end, '')),
    ).toEqual(['heron four', 'heron three', 'heron two', 'heron one']);
    const all = (await search('heron')).filter(({ where }) => where === 'item');
    expect(all.map(({ sessionId, more }) => [sessionId === id, more])).toEqual(
      expect.arrayContaining([
        [true, true],
        [false, undefined],
      ]),
    );
    expect(all.filter(({ sessionId }) => sessionId === id)).toHaveLength(3);
  });

  it('leaves out removed folders and deleted sessions', async () => {
    const id = await conversation('Zebra', 'stripes');
    expect(await search('stripes')).toHaveLength(1);
    const [project] = (await server.call<{ projects: { projectId: string }[] }>('GET', '/api/projects')).body.projects;
    await server.call('DELETE', `/api/projects/${project?.projectId}`);
    expect(await search('stripes')).toEqual([]);
    await server.call('POST', '/api/projects', { dir: server.folder });
    expect(await search('stripes')).toHaveLength(1);
    await server.call('DELETE', `/api/session/${id}`);
    expect(await search('stripes')).toEqual([]);
  });

  it.each(['"', '*', 'a" OR b', '%', ' ', '\u0000', '🎉', "'; --"])('answers %j', async (q) => {
    expect(await search(q)).toEqual([]);
  });

  it('rejects an empty search', async () => {
    expect((await server.call('GET', '/api/search')).status).toBe(400);
    expect((await server.call('GET', `/api/search?q=${'a'.repeat(501)}`)).status).toBe(400);
  });
});
