import { describe, expect, it, vi } from 'vitest';
import type { SessionSummary } from '@liminal/contracts';
import { shownTabs } from '../../state/layout/tabs.ts';
import { machineTrouble } from '../../state/workbench/describe-machine.ts';
import { click, focus, press, type } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { button, buttonNames, field, one, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { sessionSummary as summary } from '@liminal/domain/session/testing/session-summary';
import { createTestPage, type TestPage } from '../../testing/test-page.ts';
import { statusLabels } from '../../ui/status-badge.tsx';
import { Sidebar } from './sidebar.tsx';

async function openSidebar(...sessions: SessionSummary[]): Promise<TestPage> {
  const page = createTestPage();
  await page.list(sessions);
  await render(
    page,
    <Sidebar onChosen={() => {}} onHide={() => {}}>
      {null}
    </Sidebar>,
  );
  return page;
}
const mark = (): string | undefined =>
  one('.session-mark').querySelector('[role=img]')?.getAttribute('aria-label') ?? undefined;
const facts = (): string => one('.session-facts-text').textContent;
const row = (): HTMLButtonElement => one<HTMLButtonElement>('.session-link');
const changes = (page: TestPage): unknown[] => page.callsOf('session.patch');
const focusedItem = (): string => document.activeElement?.textContent ?? '';

describe('the status badge of a session', () => {
  const failure = { code: 'X', message: 'No.', at: '2026-01-01T00:00:00.000Z' };
  it.each<[string, Partial<SessionSummary>, string | undefined]>([
    ['needs the user', { activity: 'waiting' }, statusLabels['needs-you']],
    ['works', { activity: 'working' }, statusLabels.working],
    ['works again after a failure', { activity: 'working', lastError: failure }, statusLabels.working],
    ['failed', { lastError: failure }, statusLabels.failed],
    ['was ended by the user', { status: 'dead' }, undefined],
    ['is paused', { activity: 'asleep' }, statusLabels.paused],
    ['ended something unseen', { ended: { id: 't1', at: failure.at } }, statusLabels.done],
    ['is on a machine that is gone', { node: { nodeId: 'n', name: 'attic', presence: 'gone' } }, statusLabels.unknown],
    ['is idle', {}, undefined],
  ])('shows that it %s', async (_, part, expected) => {
    await openSidebar(summary({ sessionId: 'other', ...part }));
    expect(mark()).toBe(expected);
  });

  it('shows that something ended unseen until the session is opened, and reports it as seen', async () => {
    const page = await openSidebar(summary({ sessionId: 'other', ended: { id: 't1', at: failure.at } }));
    expect(mark()).toBe(statusLabels.done);
    await click(row());
    expect(mark()).toBeUndefined();
    expect(changes(page)).toEqual([['other', { seen: 't1' }]]);
  });

  it('has a label if it needs attention', async () => {
    await openSidebar(summary({ activity: 'waiting' }));
    expect(facts()).toBe(statusLabels['needs-you']);
  });

  it('shows the message and the age of a failure', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-01T02:00:00.000Z') });
    await openSidebar(summary({ updatedAt: '2026-01-01T01:55:00.000Z', lastError: failure }));
    expect(facts()).toBe(failure.message);
    expect(texts('.session-time')).toEqual(['2 h']);
  });

  it('shows an unreachable machine before the agent’s state', async () => {
    const node = { nodeId: 'n2', name: 'attic', presence: 'gone' as const };
    await openSidebar(summary({ node }));
    expect(facts().split(' · ').slice(0, 2)).toEqual([machineTrouble(node), 'Demo']);
  });
});

describe('opening a session', () => {
  it('shows it in a tab, marked as current', async () => {
    const page = await openSidebar(summary({ sessionId: 'other' }));
    expect(row().getAttribute('aria-current')).toBeNull();
    await click(row());
    expect(page.workbench.tabs.get().active).toBe('other');
    expect(row().getAttribute('aria-current')).toBe('page');
  });

  it('opens it next to the active one with Ctrl held', async () => {
    const page = await openSidebar(summary({ sessionId: 'other' }));
    await click(row(), { ctrlKey: true });
    expect(shownTabs(page.workbench.tabs.get())).toEqual(['s', 'other']);
  });
});

describe('renaming a session', () => {
  const titleField = (): HTMLInputElement => field('Session title');
  async function rename(): Promise<TestPage> {
    const page = await openSidebar(summary());
    await focus(row());
    await press('F2');
    return page;
  }

  it('starts on F2, in place, with the whole title selected', async () => {
    await rename();
    expect(document.activeElement).toBe(titleField());
    expect([titleField().selectionStart, titleField().selectionEnd]).toEqual([0, 'Title'.length]);
    expect(document.querySelector('.session-link')).toBeNull();
  });

  it('is saved on Enter, on one line', async () => {
    const page = await rename();
    await type(titleField(), '  A  better   title ');
    await press('Enter');
    expect(changes(page)).toEqual([['s', { title: 'A better title' }]]);
    expect(row()).toBeDefined();
  });

  it('is saved when the field loses the focus', async () => {
    const page = await rename();
    await type(titleField(), 'Better');
    await focus(button('Settings'));
    expect(changes(page)).toEqual([['s', { title: 'Better' }]]);
  });

  it.each([
    ['Escape', 'Better'],
    ['Enter', '  '],
    ['Enter', 'Title'],
  ])('changes nothing on %s with “%s” written', async (key, words) => {
    const page = await rename();
    await type(titleField(), words);
    await press(key);
    expect(changes(page)).toEqual([]);
    expect(texts('.session-title-text')).toEqual(['Title']);
  });

  it('reports that the server rejected it', async () => {
    const page = await rename();
    page.answer('session.patch', failed('The disk is full.'));
    await type(titleField(), 'Better');
    await press('Enter');
    expect(page.workbench.failures.get()).toMatchObject({ why: 'The disk is full.' });
  });
});

describe('the menu of a session', () => {
  async function openMenu(part: Partial<SessionSummary> = {}): Promise<TestPage> {
    const page = await openSidebar(summary(part));
    await click(button('More actions for Title'));
    return page;
  }

  it('opens with the focus on its first entry, and arrow keys wrap around', async () => {
    await openMenu();
    expect(focusedItem()).toContain('Rename');
    await press('ArrowUp');
    expect(focusedItem()).toBe('Delete');
    await press('ArrowDown');
    expect(focusedItem()).toContain('Rename');
    await press('End');
    expect(focusedItem()).toBe('Delete');
    await press('Home');
    expect(focusedItem()).toContain('Rename');
  });

  it('closes on Escape and returns the focus', async () => {
    await openMenu();
    await press('Escape');
    expect(document.querySelector('[role=menu]')).toBeNull();
    expect(document.activeElement).toBe(button('More actions for Title'));
  });

  it('archives by keyboard, which closes the tab', async () => {
    const page = await openMenu();
    await press('ArrowDown');
    await press('Enter');
    expect(changes(page)).toEqual([['s', { archived: true }]]);
    expect(page.workbench.tabs.get().open).toEqual([]);
  });

  it('keeps the tab of a session that couldn’t be archived', async () => {
    const page = await openMenu();
    page.answer('session.patch', failed('No.'));
    await click(button('Archive'));
    expect(page.workbench.tabs.get().open).toEqual(['s']);
  });

  it('asks before it deletes', async () => {
    const page = await openMenu();
    await click(button('Delete'));
    expect(page.workbench.panels.front.get()).toEqual({ name: 'delete-session', sessionId: 's' });
    expect(page.callsOf('session.remove')).toEqual([]);
  });

  it('offers to open next to the active session, but not the active one itself', async () => {
    await openMenu();
    expect(buttonNames()).not.toContain('Open beside');
    await press('Escape');
    const page = createTestPage();
    await page.list([summary({ sessionId: 'other', title: 'Other' })]);
    await render(
      page,
      <Sidebar onChosen={() => {}} onHide={() => {}}>
        {null}
      </Sidebar>,
    );
    await click(button('More actions for Other'));
    expect(buttonNames()).toContain('Open beside');
  });
});
