import { expect, it } from 'vitest';
import type { ApiResult } from '@liminal/client/call-routes';
import type { ChangedFileReply } from '@liminal/contracts';
import { createCell } from '../base/cell.ts';
import { createReviewLoader } from './review-loader.ts';
import { emptyReview } from './review-state.ts';

/** A server that answers each request for a file when the test says so. */
function setUp() {
  const requests: Array<{ whitespace: string; scope: string; answer: (patch?: string) => void }> = [];
  const changedFile = (_session: string, query: { path: string; whitespace: string; scope: string }) => {
    const { promise, resolve } = Promise.withResolvers<ApiResult<ChangedFileReply>>();
    const value = { path: query.path, oldId: query.scope, newId: query.whitespace, hunks: [] };
    const answer = (patch?: string): void =>
      resolve({ ok: true, value: { ...value, binary: patch === undefined, tooLarge: false, ...(patch && { patch }) } });
    requests.push({ whitespace: query.whitespace, scope: query.scope, answer });
    return promise;
  };
  const changes = async () => ({ ok: true, value: { files: [{ path: 'a.ts' }] } });
  const state = createCell(emptyReview(new Map()));
  const loader = createReviewLoader({ api: { changedFile, changes } as never, sessionId: 's', state });
  const answer = (patch?: string): void => {
    for (const request of requests) request.answer(patch);
  };
  return { loader, requests, answer, body: () => state.get().bodies.get('a.ts'), whole: () => state.get().whole };
}

it('waits for a file that is already loading', async () => {
  const { loader, requests, answer, body } = setUp();
  const needs = [loader.need('a.ts'), loader.need('a.ts')];
  expect(await Promise.race([needs[1], Promise.resolve('not yet')])).toBe('not yet');
  answer();
  await needs[1];
  expect(body()).toMatchObject({ phase: 'ready' });
  expect(requests).toHaveLength(1);
});

it.each([
  ['whitespace is hidden', { whitespace: 'ignore', scope: 'session' }],
  ['another scope is chosen', { whitespace: 'show', scope: 'uncommitted' }],
] as const)('loads a file again if %s while it is loading', async (_what, asked) => {
  const { loader, requests, answer, body } = setUp();
  const first = loader.need('a.ts');
  if (asked.whitespace === 'ignore') await loader.setWhitespace('ignore');
  else await loader.show({ scope: asked.scope });
  const second = loader.need('a.ts');
  answer();
  await Promise.all([first, second]);
  expect(requests).toMatchObject([{ whitespace: 'show', scope: 'session' }, asked]);
  expect(body()).toMatchObject({ phase: 'ready', reply: { oldId: asked.scope, newId: asked.whitespace } });
});

const patch = 'diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n';

it.each([
  ['whitespace is hidden', 'ignore', false],
  ['nothing changes', 'show', true],
] as const)(
  'keeps the unchanged lines of a file only for the view they were read for: %s',
  async (_what, then, kept) => {
    const { loader, answer, whole } = setUp();
    const read = loader.needWhole('a.ts');
    await loader.setWhitespace(then);
    answer(patch);
    expect(await read).toBe(kept);
    expect(whole().has('a.ts')).toBe(kept);
  },
);
