import { act } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { OpenAsk, SessionSummary } from '@liminal/contracts';
import { click, press, type } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { button, buttonNames, field, one, pageText, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { sessionSummary as summary } from '@liminal/domain/session/testing/session-summary';
import { createTestPage, type TestPage } from '../../testing/test-page.ts';
import { InboxSummary } from './inbox-summary.tsx';
import { Inbox } from './inbox.tsx';

const at = '2026-01-01T00:00:00.000Z';
const asks = (part: Partial<OpenAsk> = {}): OpenAsk => ({
  requestId: 'r1',
  kind: 'tool',
  title: 'Run npm publish?',
  whole: 'npm publish',
  options: [
    { optionId: 'yes', name: 'Allow once', kind: 'allow_once' },
    { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  ],
  openedAt: at,
  count: 1,
  ...part,
});
const done = (sessionId: string, part: Partial<SessionSummary> = {}): SessionSummary =>
  summary({ sessionId, title: sessionId, ended: { id: 't1', at }, ...part });
const needing = (part: Partial<OpenAsk> = {}): SessionSummary =>
  summary({ sessionId: 'publish', title: 'Publish', activity: 'waiting', asks: asks(part) });

async function openInbox(...sessions: SessionSummary[]): Promise<TestPage> {
  const page = createTestPage();
  page.workbench.tabs.leave();
  page.workbench.panels.inbox.set(true);
  await page.list(sessions);
  await render(page, <Inbox />);
  return page;
}
const firstLines = (): string[] => texts('.inbox-first');
const focusedRow = (): string => document.activeElement?.querySelector('.inbox-first')?.textContent ?? '';

describe('the inbox', () => {
  it('IN-1: lists sessions that need the user first, then failed, finished and working ones', async () => {
    await openInbox(
      summary({
        sessionId: 'w',
        title: 'Busy',
        activity: 'working',
        working: { since: at, doing: 'Running npm test' },
      }),
      done('Index parcels', { ended: { id: 't', at, changed: { files: 2, added: 118, removed: 24 } } }),
      summary({
        sessionId: 'f',
        title: 'Move',
        ended: { id: 't', at },
        lastError: { code: 'X', message: 'Broke.', at },
      }),
      needing(),
      summary({ sessionId: 'idle', title: 'Idle one' }),
    );
    expect(texts('.inbox h2')).toEqual(['Needs you 1', 'Failed 1', 'Done, not seen 1', 'Working 1']);
    expect(firstLines()).toEqual(['Run npm publish', 'Broke.', 'Index parcels', 'Busy']);
    expect(texts('.inbox-second').map((line) => line.split(' · ').slice(0, 3))).toEqual([
      ['Publish', 'repo', 'Demo'],
      ['Move', 'repo', 'Demo'],
      ['Done', 'repo', '2 files +118 −24'],
      ['Running npm test', 'repo', expect.any(String)],
    ]);
  });

  it('shows that nothing needs the user, and offers the next step', async () => {
    await openInbox(summary());
    expect(pageText()).toContain('Nothing needs you');
    expect(buttonNames()).toEqual(['New session']);
  });

  it('IN-2: answers in place by key, once, after the request has been visible for a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const page = await openInbox(needing(), done('other'));
    expect(focusedRow()).toBe('Run npm publish');
    expect(buttonNames().some((name) => name.startsWith('Always allow'))).toBe(false);
    await press('1');
    expect(page.callsOf('session.answer')).toEqual([]);
    await act(async () => vi.advanceTimersByTime(1100));
    await press('1');
    expect(page.callsOf('session.answer')).toEqual([['publish', { requestId: 'r1', optionId: 'yes' }]]);
    await page.list([summary({ sessionId: 'publish', title: 'Publish' })]);
    expect(focusedRow()).toBe('other');
  });

  it('IN-2: a double-click on an answer doesn’t answer the next request, of this session or of another', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const page = await openInbox(needing());
    const answered = (): unknown[] =>
      page.callsOf('session.answer').map(([, body]) => (body as { requestId: string }).requestId);
    const allow = (): Promise<void> => click(button('Allow once'));
    await allow();
    await page.list([needing({ requestId: 'r2' })]);
    await allow();
    expect(answered()).toEqual(['r1']);
    await act(async () => vi.advanceTimersByTime(600));
    await allow();
    await page.list([summary({ sessionId: 'publish' }), { ...needing({ requestId: 'r3' }), sessionId: 'other' }]);
    await allow();
    expect(answered()).toEqual(['r1', 'r2']);
  });

  it('IN-2: a double-click on the first screen answers only one request', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const page = createTestPage();
    const second = { ...needing({ requestId: 'r2' }), sessionId: 'other' };
    await render(page, <InboxSummary sessions={[needing(), second]} />);
    await click(button('Allow once'));
    const [, next] = document.querySelectorAll<HTMLElement>('.inbox-actions .button-primary');
    if (next === undefined) throw new Error('The second row has no button');
    await click(next);
    expect(page.callsOf('session.answer')).toEqual([['publish', { requestId: 'r1', optionId: 'yes' }]]);
  });

  it('IN-2: gives an answer the same key as on the request’s card', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const page = await openInbox(needing());
    await act(async () => vi.advanceTimersByTime(1100));
    expect(texts('.inbox-actions .key-hint')).toEqual(['1', '3']);
    await press('2');
    expect(page.callsOf('session.answer')).toEqual([]);
    await press('3');
    expect(page.callsOf('session.answer')).toEqual([['publish', { requestId: 'r1', optionId: 'no' }]]);
  });

  it('IN-2: only offers to open the session if a request isn’t shown in full', async () => {
    const page = await openInbox(needing({ whole: undefined, options: [] } as Partial<OpenAsk>));
    expect(firstLines()).toEqual(['Run npm publish?']);
    expect(buttonNames().filter((name) => name.startsWith('Allow'))).toEqual([]);
    await press('1');
    expect(page.callsOf('session.answer')).toEqual([]);
    await press('Enter');
    expect(page.workbench.tabs.get().active).toBe('publish');
    expect(page.workbench.panels.inbox.get()).toBe(false);
  });

  it('IN-2: moves with J and K, sends a follow-up, and keeps the text if that fails', async () => {
    const page = await openInbox(done('b', { ended: { id: 't', at: '2026-01-02T00:00:00.000Z' } }), done('a'));
    await press('j');
    expect(focusedRow()).toBe('a');
    await press('f');
    await type(field('Message to a'), 'Now the docs');
    page.answer('session.send', failed('The agent stopped.'));
    await click(button('Send'));
    expect(pageText()).toContain('The agent stopped.');
    page.answer('session.send', { ok: true, value: { turnId: 't' } });
    await click(button('Send'));
    const [first, second] = page.callsOf('session.send');
    expect(first).toEqual(['a', { content: 'Now the docs', clientMessageId: expect.any(String) }]);
    expect(second).toEqual(first);
    expect(focusedRow()).toBe('a');
    await press('k');
    expect(focusedRow()).toBe('b');
  });

  it('IN-2: sends an edited follow-up as another message', async () => {
    const page = await openInbox(done('a'));
    await press('j');
    await press('f');
    page.answer('session.send', failed('The agent stopped.'));
    await type(field('Message to a'), 'Now the docs');
    await click(button('Send'));
    await type(field('Message to a'), 'Now the tests');
    await click(button('Send'));
    const [first, second] = page.callsOf('session.send').map(([, body]) => body as { clientMessageId: string });
    expect(second).toMatchObject({ content: 'Now the tests' });
    expect(second?.clientMessageId).not.toBe(first?.clientMessageId);
  });

  it('IN-2: keeps what is typed while a follow-up is sent', async () => {
    const page = await openInbox(done('a'));
    await press('j');
    await press('f');
    const reply = Promise.withResolvers<{ ok: true; value: object }>();
    page.answer('session.send', reply.promise);
    await type(field('Message to a'), 'Now the docs');
    await click(button('Send'));
    await type(field('Message to a'), 'Now the docs and the tests');
    await act(async () => reply.resolve({ ok: true, value: { turnId: 't' } }));
    expect(field('Message to a').value).toBe('Now the docs and the tests');
    expect(page.workbench.drafts.read('a')).toBe('Now the docs and the tests');
    await type(field('Message to a'), 'Now the docs');
    await click(button('Send'));
    const ids = page.callsOf('session.send').map(([, body]) => (body as { clientMessageId: string }).clientMessageId);
    expect(new Set(ids).size).toBe(2);
    expect(document.querySelector('.inbox-follow-up')).toBeNull();
  });

  it('IN-2: retries the failed message, with its images and mentions, by key or button', async () => {
    const lastError = { code: 'X', message: 'Broke.', at };
    const page = await openInbox(
      done('a', { lastError }),
      done('b', { lastError, ended: { id: `failure ${at}`, at } }),
    );
    const said = { content: 'Fix it', images: [], mentions: ['src/a.ts'] };
    page.answer('session.sentMessage', { ok: true, value: said });
    expect(buttonNames().filter((name) => name.startsWith('Retry'))).toHaveLength(1);
    await press('j');
    await press('k');
    page.answer('session.send', failed('The agent stopped.'));
    await press('r');
    expect(page.workbench.failures.get()?.why).toBe('The agent stopped.');
    page.answer('session.send', { ok: true, value: { turnId: 't2' } });
    await click(button('Retry'));
    expect(page.callsOf('session.sentMessage')).toEqual([
      ['a', 't1'],
      ['a', 't1'],
    ]);
    expect(page.callsOf('session.send')[1]).toEqual(['a', { ...said, clientMessageId: expect.any(String) }]);
  });

  it('IN-2: a double-click on Retry sends one message, and none of another session', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const lastError = { code: 'X', message: 'Broke.', at };
    const broken = (id: string) => done(id, { lastError, ended: { id: `turn of ${id}`, at } });
    const page = await openInbox(broken('a'), broken('b'));
    page.answer('session.sentMessage', { ok: true, value: { content: 'Fix it', images: [], mentions: [] } });
    const retry = async (): Promise<void> => {
      const [first] = document.querySelectorAll<HTMLElement>('[aria-keyshortcuts=R]');
      if (first === undefined) throw new Error('There is nothing to retry');
      await click(first);
    };
    await retry();
    await retry();
    const [[first] = []] = page.callsOf('session.send');
    await page.list([summary({ sessionId: String(first) })]);
    await retry();
    expect(page.callsOf('session.send')).toHaveLength(1);
    await act(async () => vi.advanceTimersByTime(600));
    await retry();
    expect(page.callsOf('session.send')).toHaveLength(2);
  });

  it('IN-2: pins, snoozes and marks by key, each with undo', async () => {
    const page = await openInbox(done('one'));
    const changes = (): unknown[] => page.callsOf('session.patch').map(([, change]) => change);
    await press('p');
    await press('z');
    await press('u');
    expect(firstLines()).toEqual([]);
    await press('z');
    expect(firstLines()).toEqual(['one']);
    expect(changes()).toEqual([{ pinned: true }, { pinned: false }, { seen: 't1' }, { unread: true }]);
    one('.inbox-open').focus();
    await press('s');
    await click(button('Until it changes'));
    expect(firstLines()).toEqual([]);
    await click(button('Undo'));
    expect(firstLines()).toEqual(['one']);
    expect(changes().slice(4)).toEqual([{ snoozed: { until: 'change' } }, { snoozed: null }]);
  });

  it('reverts a mark that the server rejected, and shows why', async () => {
    const page = await openInbox(done('one'));
    page.answer('session.patch', failed('The disk is full.'));
    await press('u');
    expect(firstLines()).toEqual(['one']);
    expect(page.workbench.failures.get()?.why).toBe('The disk is full.');
  });

  it('IN-3: redraws only the row that changed among 500', async () => {
    const many = Array.from({ length: 500 }, (_, index) => done(`session ${index}`));
    const page = await openInbox(...many);
    expect(firstLines()).toHaveLength(500);
    const changed = new Set<Element | null>();
    const observer = new MutationObserver((records) => {
      for (const { target } of records)
        changed.add(
          target instanceof Element
            ? target.closest('.inbox-row')
            : (target.parentElement?.closest('.inbox-row') ?? null),
        );
    });
    observer.observe(one('.inbox'), { childList: true, subtree: true, characterData: true, attributes: true });
    await page.list([done('session 7', { title: 'Renamed' })]);
    observer.disconnect();
    expect([...changed].map((row) => row?.querySelector('.inbox-first')?.textContent)).toEqual(['Renamed']);
  });
});
