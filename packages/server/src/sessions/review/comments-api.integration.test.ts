import type { ChangedFileReply, Project, ReviewComment } from '@liminal/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestRepository, type TestRepository } from '../../git/testing/test-repository.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';

let repository: TestRepository;
let server: TestServer;
let url: string;
let sessionId: string;

beforeEach(async () => {
  repository = createTestRepository();
  repository.put('a.ts', 'one();\ntwo();\nthree();\n');
  repository.commit();
  repository.put('a.ts', 'one();\n2();\nthree();\n');
  server = await startTestServer({ folder: repository.dir });
  sessionId = await server.newSession();
  url = `/api/session/${sessionId}`;
  const { body } = await server.call<Project>('POST', '/api/projects', { dir: repository.dir });
  await server.call('POST', `/api/projects/${body.projectId}/trust`, { trusted: true });
});
afterEach(async () => {
  await server.close();
  repository.cleanup();
});

const place = { scope: 'uncommitted', path: 'a.ts', side: 'new', startLine: 2, endLine: 2 } as const;
const add = (part: object = {}) =>
  server.call<ReviewComment>('POST', `${url}/comments`, { ...place, text: 'Use a word.', ...part });
const list = async () => (await server.call<{ comments: ReviewComment[] }>('GET', `${url}/comments`)).body.comments;
describe('comments on a change', () => {
  it('RV-4: keep the lines they were written on, follow them, and are outdated when those are gone', async () => {
    const { status, body } = await add();
    expect([status, body]).toMatchObject([201, { quote: '2();\n', state: 'draft', outdated: false, startLine: 2 }]);
    await add({ side: 'old', text: 'This was better.' });
    repository.put('a.ts', 'zero();\none();\n2();\nthree();\n');
    expect(await list()).toMatchObject([
      { startLine: 3, endLine: 3, outdated: false },
      { startLine: 2, outdated: false, quote: 'two();\n' },
    ]);
    repository.put('a.ts', 'one();\n');
    expect(await list()).toMatchObject([{ startLine: 2, quote: '2();\n', outdated: true }, { outdated: false }]);
  });

  it('RV-4: are rejected for lines that don’t exist, and for a file that changed since it was shown', async () => {
    const codes = await Promise.all(
      [{ startLine: 90, endLine: 91 }, { blobId: 'other' }, { path: '../x' }, { path: 'none.ts' }, { text: ' ' }].map(
        async (part) =>
          (await server.call('POST', `${url}/comments`, { ...place, text: 'x', ...part })).body.error.code,
      ),
    );
    expect(codes).toEqual(['INVALID_REQUEST', 'STALE', 'PATH_REFUSED', 'FILE_NOT_FOUND', 'INVALID_REQUEST']);
  });

  it('RV-4: can be written on either side of a comparison with a chosen branch', async () => {
    repository.git('branch', 'release');
    repository.put('a.ts', 'one();\n22();\nthree();\n');
    repository.commit();
    repository.put('a.ts', 'one();\n333();\nthree();\n');
    const query = 'scope=base&base=release&path=a.ts';
    const { body } = await server.call<ChangedFileReply>('GET', `${url}/changes/file?${query}`);
    const sides = [
      { side: 'old', blobId: body.oldId },
      { side: 'new', blobId: body.newId },
    ];
    for (const side of sides) {
      const added = await add({ scope: 'base', base: 'release', ...side });
      expect([added.status, added.body.base]).toEqual([201, 'release']);
    }
    expect((await list()).map(({ quote }) => quote)).toEqual(['two();\n', '333();\n']);
  });

  it('RV-4: can be changed, resolved and deleted', async () => {
    const { commentId } = (await add()).body;
    const patched = await server.call('PATCH', `${url}/comments/${commentId}`, { text: 'Better.', state: 'resolved' });
    expect([patched.status, patched.body]).toMatchObject([200, { text: 'Better.', state: 'resolved' }]);
    expect((await server.call('DELETE', `${url}/comments/${commentId}`)).status).toBe(204);
    expect((await server.call('DELETE', `${url}/comments/${commentId}`)).body.error.code).toBe('COMMENT_NOT_FOUND');
    expect(await list()).toEqual([]);
  });

  it('RV-5: go to the agent as one message, once, and are marked with its turn', async () => {
    expect((await server.call('POST', `${url}/review`, {})).status).toBe(400);
    await add();
    await add({ side: 'old', text: 'This was better.' });
    const body = { note: 'Please look again.', clientMessageId: 'once' };
    const [first, again] = [
      await server.call('POST', `${url}/review`, body),
      await server.call('POST', `${url}/review`, body),
    ];
    expect([first.status, again.body]).toEqual([202, first.body]);
    await expect.poll(() => server.provider.sent.length).toBe(1);
    expect(server.provider.sent[0]?.message).toBe(
      [
        'Please look again.',
        '### 1. a.ts, line 2\n\n```ts\n2();\n```\n\nUse a word.',
        '### 2. a.ts, line 2 (before the change)\n\n```ts\ntwo();\n```\n\nThis was better.',
      ].join('\n\n'),
    );
    const turnId = first.body['turnId'];
    expect((await list()).map(({ state, sentTurnId }) => [state, sentTurnId])).toEqual([
      ['sent', turnId],
      ['sent', turnId],
    ]);
  });

  it('RV-5: become drafts again when their review is removed from the queue', async () => {
    await server.call('POST', `${url}/send`, { content: 'first' });
    await expect.poll(() => server.provider.sent.length).toBe(1);
    server.provider.start(sessionId);
    await add();
    const { body } = await server.call<{ turnId: string }>('POST', `${url}/review`);
    expect((await list())[0]?.state).toBe('sent');
    expect((await server.call('DELETE', `${url}/queue/${body.turnId}`)).status).toBe(204);
    const [comment] = await list();
    expect([comment?.state, comment?.sentTurnId]).toEqual(['draft', undefined]);
  });
});
