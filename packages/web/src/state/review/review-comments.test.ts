import { expect, it } from 'vitest';
import { createCell } from '../base/cell.ts';
import { createReviewComments, type ReviewCommentsDeps } from './review-comments.ts';
import { emptyReview, type ReviewState } from './review-state.ts';

type Body = Parameters<ReviewCommentsDeps['api']['review']>[1];

it('RV-5: a review that wasn’t answered is the same message when it is sent again, unless its note has changed', async () => {
  const state = createCell<ReviewState>(emptyReview(new Map()));
  const bodies: Body[] = [];
  let isLost = true;
  let ids = 0;
  const comments = createReviewComments({
    api: {
      async review(_sessionId: string, body: Body) {
        bodies.push(body);
        return isLost
          ? { ok: false, failure: { code: 'UNREACHABLE', message: 'gone' } }
          : { ok: true, value: { turnId: 't', commentIds: [] } };
      },
    },
    session: { sessionId: 's' },
    state,
    newId: () => `m${(ids += 1)}`,
    refresh: () => {},
  } as unknown as ReviewCommentsDeps);
  const write = (note: string) => state.update((held) => ({ ...held, note }));
  write('first');
  await comments.send('queue');
  await comments.send('queue');
  write('second');
  isLost = false;
  await comments.send('queue');
  write('third');
  await comments.send('queue');
  expect(bodies.map((body) => [body?.clientMessageId, body?.note])).toEqual([
    ['m1', 'first'],
    ['m1', 'first'],
    ['m2', 'second'],
    ['m3', 'third'],
  ]);
});
