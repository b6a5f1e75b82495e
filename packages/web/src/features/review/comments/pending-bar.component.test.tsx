import { describe, expect, it } from 'vitest';
import { click, type } from '../../../testing/events.ts';
import { failed } from '../../../testing/fake-api.ts';
import { button, field, one, pageText } from '../../../testing/queries.ts';
import { render, unmountAll } from '../../../testing/render.tsx';
import type { TestPage } from '../../../testing/test-page.ts';
import Review from '../review.tsx';
import { comment, show, until } from '../testing/shown-review.tsx';

const note = (): HTMLInputElement => field('Note to Demo (optional)');

async function showWithNote(): Promise<TestPage> {
  const page = await show({ comments: [comment()] });
  await until(note);
  await type(note(), 'Please');
  return page;
}
/** Shows another tab, and then the review again. */
async function switchTabs(page: TestPage): Promise<void> {
  unmountAll();
  await render(page, <Review canSteer />);
}

describe('RV-5: the note of a review', () => {
  it('stays while another tab is shown, and if the review can’t be sent', async () => {
    const page = await showWithNote();
    await switchTabs(page);
    await until(() => expect(note().value).toBe('Please'));
    page.answer('session.review', failed('The agent is gone.'));
    await click(button('Send review'));
    await until(() => expect(pageText()).toContain('The agent is gone.'));
    await switchTabs(page);
    await until(() => expect(note().value).toBe('Please'));
  });

  it('is dropped once the review is sent, but keeps what was typed meanwhile', async () => {
    const page = await showWithNote();
    const sent = Promise.withResolvers<{ ok: true; value: object }>();
    page.answer('session.review', sent.promise);
    await click(button('Send review'));
    unmountAll();
    sent.resolve({ ok: true, value: { turnId: 't9', commentIds: ['c1'] } });
    await render(page, <Review canSteer />);
    await until(() => expect(note().value).toBe(''));

    const again = Promise.withResolvers<{ ok: true; value: object }>();
    page.answer('session.review', again.promise);
    await click(button('Send review'));
    await type(note(), 'Also this');
    again.resolve({ ok: true, value: { turnId: 't10', commentIds: ['c1'] } });
    await until(() => expect(pageText()).toContain('Sent 1 comment.'));
    expect(note().value).toBe('Also this');
  });

  it('is dropped with a discarded review', async () => {
    const page = await showWithNote();
    await click(button('Discard review'));
    page.answer('session.comments', { ok: true, value: { comments: [] } });
    await click(one('dialog .button-danger'));
    await until(() => expect(document.querySelector('.review-bar')).toBeNull());
    expect(page.callsOf('session.removeComment')).toEqual([['s', 'c1']]);
    page.store.setComments([comment({ commentId: 'c2' })]);
    await until(() => expect(note().value).toBe(''));
  });
});
