import { act } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { PermissionNotice, PermissionRequest } from '@liminal/contracts';
import { permission, permissionMessage } from '@liminal/domain/timeline/testing/messages';
import { click, focus } from '../../testing/events.ts';
import { button, one, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage, type TestPage } from '../../testing/test-page.ts';
import { PermissionPanel } from './permission-panel.tsx';

const request: PermissionRequest = {
  ...permission('r1'),
  title: 'Run the tests',
  options: [
    { optionId: 'yes', name: 'Allow once', kind: 'allow_once' },
    { optionId: 'no', name: 'Refuse', kind: 'reject_once' },
  ],
};

async function openPanel(): Promise<TestPage> {
  const page = createTestPage({ permissions: [request] });
  await render(
    page,
    <>
      <PermissionPanel />
      <textarea id="composer-input" />
    </>,
  );
  return page;
}
const close = (page: TestPage, part: Partial<PermissionNotice> = {}): Promise<void> =>
  page.hear((seq) => permissionMessage(seq, { state: 'answered', request, optionId: 'yes', ...part }));
const notice = (): string[] => texts('[role=status] p');

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));

describe('a request that was closed elsewhere', () => {
  it('removes the card and shows for a while how it was answered', async () => {
    const page = await openPanel();
    await close(page);
    expect(document.querySelector('.permission')).toBeNull();
    expect(notice()).toEqual([expect.stringMatching(/Allow once.*Run the tests/)]);
    await act(async () => vi.advanceTimersByTime(8000));
    expect(notice()).toEqual([]);
  });

  it('shows why it no longer needs an answer', async () => {
    const page = await openPanel();
    await close(page, { state: 'ended', reason: 'the turn was stopped' });
    expect(notice()).toEqual([expect.stringMatching(/the turn was stopped.*Run the tests/)]);
  });

  it('isn’t reported if it was answered here', async () => {
    const page = await openPanel();
    await click(button('Allow once'));
    await close(page);
    expect(document.querySelector('.permission')).toBeNull();
    expect(notice()).toEqual([]);
  });

  it('isn’t reported if it was closed before the session was shown', async () => {
    const page = createTestPage({ permissions: [request] });
    await close(page);
    await render(page, <PermissionPanel />);
    expect(notice()).toEqual([]);
  });

  it('returns the focus to the composer if the card had it', async () => {
    const page = await openPanel();
    await focus(one('section.permission'));
    await close(page);
    expect(document.activeElement).toBe(one('#composer-input'));
  });
});

describe('a double-click on an answer', () => {
  const next: PermissionRequest = { ...request, requestId: 'r2', title: 'Delete everything' };
  const answered = (page: TestPage): unknown[] =>
    page.callsOf('session.answer').map(([, body]) => (body as { requestId: string }).requestId);

  it('doesn’t answer the next request, which a later click can', async () => {
    const page = createTestPage({ permissions: [request, next] });
    await render(page, <PermissionPanel />);
    await click(button('Allow once'));
    await close(page);
    expect(texts('h2')).toEqual(['Delete everything']);
    await click(button('Allow once'));
    expect(answered(page)).toEqual(['r1']);
    await act(async () => vi.advanceTimersByTime(600));
    await click(button('Allow once'));
    expect(answered(page)).toEqual(['r1', 'r2']);
  });
});

describe('a new request', () => {
  it('is announced to a screen reader at once', async () => {
    const page = createTestPage();
    await render(page, <PermissionPanel />);
    expect(texts('[aria-live=assertive]')).toEqual(['']);
    await page.hear((seq) => permissionMessage(seq, { state: 'open', request }));
    expect(texts('[aria-live=assertive]')).toEqual([expect.stringContaining('Run the tests')]);
    expect(document.querySelector('section.permission')).not.toBeNull();
  });
});
