import { turnMessage, turnStarted } from '@liminal/domain/timeline/testing/messages';
import { act } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { QueuedMessage } from '@liminal/contracts';
import { click, press, type } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { button, buttonNames, field, pageText, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage, type TestPage } from '../../testing/test-page.ts';
import { Composer } from './composer.tsx';

const queued = (part: Partial<QueuedMessage> = {}): QueuedMessage => ({
  turnId: 'q1',
  content: 'Then this',
  createdAt: '2026-01-01T00:00:00.000Z',
  ...part,
});

async function openComposer(...queue: QueuedMessage[]): Promise<TestPage> {
  const page = createTestPage({ queue });
  await render(page, <Composer canSteer takesImages machine={undefined} />);
  return page;
}
const input = (): HTMLTextAreaElement => field<HTMLTextAreaElement>('Message to Demo');
const hearQueue = (page: TestPage, ...queue: QueuedMessage[]): Promise<void> =>
  page.hear((seq) => ({ type: 'session:queue', sessionId: 's', epoch: 'e1', seq, payload: { queue } }));
const waiting = (): string[] => texts('.queue-text');

describe('a queued message', () => {
  it('is listed in order with the number of its images', async () => {
    const image = { mimeType: 'image/png', size: 10 };
    await openComposer(queued({ attachments: [image, image] }), queued({ turnId: 'q2', content: 'And that' }));
    expect(waiting()).toEqual(['Then this', 'And that']);
    expect(texts('.queue-line').map((line) => line.includes('2 images'))).toEqual([true, false]);
    expect(texts('.queue-next')).toEqual(['Next', 'Then']);
  });

  it('can be edited: Enter saves it, Escape cancels', async () => {
    const page = await openComposer(queued());
    await click(button('Edit'));
    const editor = field<HTMLTextAreaElement>('Queued message');
    await type(editor, 'Then that');
    await press('Enter');
    expect(page.callsOf('session.editQueued')).toEqual([['s', 'q1', { content: 'Then that' }]]);
    await click(button('Edit'));
    await type(field<HTMLTextAreaElement>('Queued message'), 'Something else');
    await press('Escape', { isComposing: true });
    expect(field<HTMLTextAreaElement>('Queued message').value).toBe('Something else');
    await press('Escape');
    expect(waiting()).toEqual(['Then this']);
    expect(page.callsOf('session.editQueued')).toHaveLength(1);
  });

  it('moves its unsaved text to the composer if it is sent meanwhile, and says so', async () => {
    const page = await openComposer(queued(), queued({ turnId: 'q2', content: 'And that' }));
    await click(button('Edit'));
    await type(field<HTMLTextAreaElement>('Queued message'), 'Then something else');
    await hearQueue(page, queued({ turnId: 'q2', content: 'And that' }));
    expect(input().value).toBe('Then something else');
    expect(pageText()).toContain('The queued message was sent without your changes.');
    expect(document.activeElement).toBe(input());
    await click(button('Edit'));
    await hearQueue(page);
    expect(input().value).toBe('Then something else');
  });

  it('keeps its unsaved text while another tab is shown', async () => {
    const page = createTestPage({ queue: [queued()] });
    const hide = await render(page, <Composer canSteer takesImages machine={undefined} />);
    await click(button('Edit'));
    await type(field<HTMLTextAreaElement>('Queued message'), 'Then something else');
    hide();
    await render(page, <Composer canSteer takesImages machine={undefined} />);
    expect(field<HTMLTextAreaElement>('Queued message').value).toBe('Then something else');
  });

  it('isn’t moved to the composer while it is being saved, only if that fails', async () => {
    const page = await openComposer(queued());
    const reply = Promise.withResolvers<ReturnType<typeof failed>>();
    page.answer('session.editQueued', reply.promise);
    await click(button('Edit'));
    await type(field<HTMLTextAreaElement>('Queued message'), 'Then something else');
    await press('Enter');
    await hearQueue(page);
    expect(input().value).toBe('');
    await act(async () => reply.resolve(failed('It has already gone in.')));
    expect(input().value).toBe('Then something else');
  });

  it('says why it can’t be saved', async () => {
    const page = await openComposer(queued());
    page.answer('session.editQueued', failed('The message is too long.'));
    await click(button('Edit'));
    await press('Enter');
    expect(texts('.queue-line .field-error')).toEqual(['The message is too long.']);
  });

  it('can’t be saved empty', async () => {
    const page = await openComposer(queued());
    await click(button('Edit'));
    await type(field<HTMLTextAreaElement>('Queued message'), '  ');
    await press('Enter');
    expect(page.callsOf('session.editQueued')).toEqual([]);
  });

  it('can be moved back to the composer, before the text there', async () => {
    const page = await openComposer(queued());
    await type(input(), 'My draft');
    await click(button('Remove'));
    expect(page.callsOf('session.withdraw')).toEqual([['s', 'q1']]);
    expect(input().value).toBe('Then this\n\nMy draft');
  });

  it('stays in the list with a reason if it can no longer be removed', async () => {
    const page = await openComposer(queued());
    page.answer('session.withdraw', failed('It has already gone in.'));
    await click(button('Remove'));
    expect(texts('.queue-line .field-error')).toEqual(['It has already gone in.']);
    expect(input().value).toBe('');
  });

  it('can be sent into the running turn, which returns the focus to the composer', async () => {
    const page = await openComposer(queued());
    expect(buttonNames()).not.toContain('Steer now');
    await page.hear((seq) => turnMessage(seq, turnStarted('t1')));
    page.answer('session.steerQueued', failed('The agent stopped.'));
    await click(button('Steer now'));
    expect(texts('.queue-line .field-error')).toEqual(['The agent stopped.']);
    page.answer('session.steerQueued', { ok: true, value: { turnId: 't1' } });
    await click(button('Steer now'));
    expect(page.callsOf('session.steerQueued')).toEqual([
      ['s', 'q1'],
      ['s', 'q1'],
    ]);
    expect(document.activeElement).toBe(input());
  });

  it('can be resent or discarded, but not edited, if it may not have been delivered', async () => {
    const page = await openComposer(queued({ state: 'unknown' }));
    expect(buttonNames()).not.toContain('Edit');
    await click(button('Retry'));
    expect(page.callsOf('session.resend')).toEqual([['s', 'q1']]);
    await click(button('Discard'));
    expect(page.callsOf('session.withdraw')).toEqual([['s', 'q1']]);
    expect(input().value).toBe('');
  });
});

describe('an outgoing message', () => {
  it('appears only after half a second, so the page doesn’t jump', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const page = await openComposer();
    page.answer('session.send', new Promise(() => {}));
    await type(input(), 'Hello');
    await press('Enter');
    await act(async () => vi.advanceTimersByTime(499));
    expect(waiting()).toEqual([]);
    await act(async () => vi.advanceTimersByTime(1));
    expect(waiting()).toEqual(['Hello']);
  });

  it('shows the reason at once if it was rejected, and can be moved back to the composer', async () => {
    const page = await openComposer();
    page.answer('session.send', failed('The message is too long.'));
    await type(input(), 'Hello');
    await press('Enter');
    expect(texts('.queue-line .field-error')).toEqual(['The message is too long.']);
    await click(button('Remove'));
    expect(input().value).toBe('Hello');
    expect(waiting()).toEqual([]);
  });

  it('waits for the connection, and later ones wait behind it', async () => {
    const page = await openComposer();
    page.answer('session.send', failed('No answer.', 'UNREACHABLE'));
    for (const words of ['one', 'two']) {
      await type(input(), words);
      await press('Enter');
    }
    expect(waiting()).toEqual(['one', 'two']);
    expect(page.callsOf('session.send')).toHaveLength(1);
    expect(pageText()).not.toContain('No answer.');
  });
});
