import { expect, it } from 'vitest';
import type { ReviewComment } from '@liminal/contracts';
import { reviewMessage } from '@liminal/domain/review/review-message';
import { message } from '@liminal/domain/timeline/testing/messages';
import { click } from '../../testing/events.ts';
import { button, pageText, texts } from '../../testing/queries.ts';
import { showRows } from './testing/rows.tsx';

const comment: ReviewComment = {
  commentId: 'c1',
  scope: 'turn',
  turnId: 't0',
  path: 'src/a.ts',
  side: 'old',
  startLine: 3,
  endLine: 4,
  quote: 'two',
  text: 'Keep the old clamp.',
  state: 'sent',
  outdated: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  sentTurnId: 't1',
};
const sent = message('t1:0:0', { origin: 'user', content: reviewMessage([comment], 'Please look.') });

it('RV-5: a sent review is a card, and each comment links to its line', async () => {
  const page = await showRows([sent], {});
  await page.hear((seq) => ({
    type: 'session:comments',
    sessionId: 's',
    epoch: 'e1',
    seq,
    payload: { comments: [comment, { ...comment, commentId: 'c2', sentTurnId: 't9' }] },
  }));
  expect(texts('.review-card li')).toEqual(['src/a.ts:3–4 beforeKeep the old clamp.']);
  expect(pageText()).toContain('Please look.');
  await click(button('src/a.ts:3–4 before'));
  expect(page.workbench.reviews.sought.get()?.place).toEqual({
    scope: 'turn',
    turnId: 't0',
    path: 'src/a.ts',
    line: 4,
    side: 'old',
  });
});

it('RV-5: without its comments, a review is shown as the sent text', async () => {
  const page = await showRows([sent], {});
  expect(page.callsOf('session.comments')).toEqual([['s']]);
  expect(texts('.review-card')).toEqual([]);
  expect(pageText()).toContain('### 1. src/a.ts, lines 3-4 (before the change)');
});
