import { fail, ok } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../../store/memory/memory-store.ts';
import type { CommentRow } from '../../store/review-rows.ts';
import { createSessionComments, type SessionCommentsDeps } from './session-comments.ts';

const draft = (commentId: string, text: string): CommentRow => ({
  sessionId: 's',
  commentId,
  scope: 'uncommitted',
  path: 'a.ts',
  side: 'new',
  startLine: 1,
  endLine: 1,
  quote: 'one();\n',
  content: null,
  text,
  state: 'draft',
  outdated: false,
  createdAt: '2026-01-01T00:00:00.000Z',
});

/** A session with drafts, of which one is edited and one deleted while their review is on its way, unless told otherwise. */
async function setup(isSent: boolean, meanwhile = true) {
  const store = createMemoryStore();
  const put = (commentId: string, text: string) => store.write([{ type: 'put-comment', row: draft(commentId, text) }]);
  for (const commentId of ['same', 'edited', 'deleted']) await put(commentId, `about ${commentId}`);
  const shell = {
    sessionId: 's',
    row: () => ({}),
    recordReview: store.write,
    publishComments: async () => {},
  };
  const comments = createSessionComments({
    store,
    roster: { with: (_sessionId: string, then: (opened: unknown) => unknown) => then({ shell }) },
    places: { project: () => fail('PROJECT_NOT_FOUND', 'gone') },
    async send(_sessionId: string, _body: object, writesFor: (turnId: string) => []) {
      if (meanwhile) {
        await put('edited', 'in other words');
        await store.write([{ type: 'remove-comment', sessionId: 's', commentId: 'deleted' }]);
      }
      await store.write(writesFor('t'));
      return isSent ? ok({ turnId: 't' }) : fail('PROCESS_CRASH', 'The agent is gone.');
    },
  } as unknown as SessionCommentsDeps);
  const states = () => store.comments('s').map(({ commentId, text, state }) => [commentId, text, state]);
  return { comments, states };
}

describe('a review that is sent while its comments change', () => {
  it('RV-5: marks only comments whose text it has, and restores no deleted one', async () => {
    const { comments, states } = await setup(true);
    expect(await comments.review('s', {})).toMatchObject({ ok: true });
    expect(states()).toEqual([
      ['same', 'about same', 'sent'],
      ['edited', 'in other words', 'draft'],
    ]);
  });

  it('RV-5: leaves them as they are if it fails', async () => {
    const { comments, states } = await setup(false);
    expect(await comments.review('s', {})).toMatchObject({ ok: false });
    expect(states()).toEqual([
      ['same', 'about same', 'draft'],
      ['edited', 'in other words', 'draft'],
    ]);
  });
});

describe('two pages that send the same drafts at once', () => {
  it('RV-5: sends each comment once, and tells the other that nothing is left', async () => {
    const { comments, states } = await setup(true, false);
    const replies = await Promise.all([comments.review('s', {}), comments.review('s', {})]);
    expect(replies).toMatchObject([{ ok: true }, { ok: false, failure: { code: 'INVALID_REQUEST' } }]);
    expect(states().map(([, , state]) => state)).toEqual(['sent', 'sent', 'sent']);
  });
});
