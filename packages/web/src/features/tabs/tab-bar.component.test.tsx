import { act } from 'react';
import { expect, it } from 'vitest';
import { click, press } from '../../testing/events.ts';
import { button, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { sessionSummary as summary } from '@liminal/domain/session/testing/session-summary';
import { createTestPage, project, type TestPage } from '../../testing/test-page.ts';
import { TabBar } from './tab-bar.tsx';

async function openTabs(count: number): Promise<TestPage> {
  const page = createTestPage();
  const ids = Array.from({ length: count }, (_, index) => (index === 0 ? 's' : `s${index}`));
  await page.list(ids.map((sessionId, index) => summary({ sessionId, title: `A long title of number ${index}` })));
  await act(async () => ids.forEach((id) => page.workbench.tabs.show(id)));
  await render(page, <TabBar onMenu={() => {}} listHidden={false} />);
  return page;
}
const listed = (): string[] => texts('[role=menuitem] > span:first-child');

it('lists all open tabs by their full titles, and switches to the chosen one', async () => {
  const page = await openTabs(12);
  await click(button('Open tabs (Alt+T)'));
  expect(listed()).toHaveLength(13);
  expect(listed().slice(0, 2)).toEqual(['A long title of number 0', 'A long title of number 1']);
  await press('ArrowDown');
  await press('Enter');
  expect(page.workbench.tabs.get().active).toBe('s1');
  expect(document.querySelector('[role=menu]')).toBeNull();
});

it('opens the list by key, and closes the other tabs from it', async () => {
  const page = await openTabs(3);
  await act(async () => page.workbench.panels.tabList.set(true));
  await press('End');
  await press('Enter');
  expect(page.workbench.tabs.get()).toMatchObject({ open: ['s2'], active: 's2' });
});

it('has no list for a single tab', async () => {
  await openTabs(1);
  expect(document.querySelector('.tab-all')).toBeNull();
});

it('marks no tab as current while the inbox is open, and shows no buttons for a session', async () => {
  const page = await openTabs(2);
  const current = (): (string | null)[] =>
    [...document.querySelectorAll('[role=tab]')].map((tab) => tab.getAttribute('aria-selected'));
  const ofSession = '.tab-review, .tab-files, .tab-inspector';
  expect(current()).toEqual(['false', 'true']);
  expect(document.querySelectorAll(ofSession)).toHaveLength(3);
  await act(async () => page.workbench.panels.inbox.set(true));
  expect(current()).toEqual(['false', 'false']);
  expect(document.querySelector('.tab-active')).toBeNull();
  expect(document.querySelectorAll(ofSession)).toHaveLength(0);
  expect(texts('.tab-title')).toEqual(['Inbox']);
});

it('offers to split the view with another tab, but not with the active one', async () => {
  await openTabs(2);
  const menuOf = async (sessionId: string): Promise<string[]> => {
    const tab = document.querySelector(`#tab-${sessionId}`);
    await act(async () => void tab?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true })));
    const items = listed();
    await press('Escape');
    return items;
  };
  expect(await menuOf('s')).toContain('Split right');
  expect(await menuOf('s1')).not.toContain('Split right');
});

it('shows the tabs of one project, and lists those of the others below them', async () => {
  const page = createTestPage();
  const sessions = [
    summary({ sessionId: 's', projectId: 'p', title: 'Prices' }),
    summary({ sessionId: 's1', projectId: 'p', title: 'Basket' }),
    summary({ sessionId: 'q1', projectId: 'q', title: 'Prices' }),
  ];
  await page.list(sessions, [project(), project({ projectId: 'q', name: 'site' })]);
  await act(async () => ['s1', 'q1', 's'].forEach((id) => page.workbench.tabs.show(id)));
  await render(page, <TabBar onMenu={() => {}} listHidden={false} />);
  expect(texts('[role=tab]')).toEqual(['Prices', 'Basket']);
  await click(button('Open tabs (Alt+T)'));
  expect(texts('.menu-heading')).toEqual(['repo', 'site']);
  expect(listed()).toEqual(['Prices · repo', 'Basket', 'Prices · site', 'Close other tabs of repo']);
  await press('ArrowDown');
  await press('ArrowDown');
  await press('Enter');
  expect(texts('[role=tab]')).toEqual(['Prices']);
  expect(page.workbench.activeProject()).toBe('q');
});

it('names the project of a session that is shown next to one of another project', async () => {
  const page = createTestPage();
  const sessions = [
    summary({ sessionId: 's', title: 'Prices' }),
    summary({ sessionId: 'q1', projectId: 'q', title: 'Menu' }),
  ];
  await page.list(sessions, [project(), project({ projectId: 'q', name: 'site' })]);
  await act(async () => page.workbench.tabs.showBeside('q1'));
  await render(page, <TabBar onMenu={() => {}} listHidden={false} />);
  expect(texts('[role=tab]')).toEqual(['Prices', 'Menusite']);
});

it('opens a terminal in the worktree of the session', async () => {
  const page = createTestPage();
  const place = { kind: 'worktree', folder: '/trees/fix', branch: 'fix', worktreeId: 'w' } as const;
  await page.list([summary({ place })]);
  await render(page, <TabBar onMenu={() => {}} listHidden={false} />);
  page.answer('terminal.list', { ok: true, value: { terminals: [] } });
  await click(button('Terminal (Ctrl+`)'));
  expect(page.callsOf('terminal.open')).toMatchObject([['p', { worktreeId: 'w' }]]);
});

it('renames a session in a dialog, because its row in the sidebar may be hidden', async () => {
  const page = await openTabs(1);
  const tab = document.querySelector('#tab-s');
  await act(async () => void tab?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true })));
  await click(button('Rename'));
  expect(page.workbench.panels.front.get()).toEqual({ name: 'rename', sessionId: 's' });
});
