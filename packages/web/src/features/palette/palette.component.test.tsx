import { act } from 'react';
import { expect, it, vi } from 'vitest';
import { sessionSummary as summary } from '@liminal/domain/session/testing/session-summary';
import { createCell } from '../../state/base/cell.ts';
import { field, texts } from '../../testing/queries.ts';
import { press, type } from '../../testing/events.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage, type TestPage } from '../../testing/test-page.ts';
import Palette from './palette.tsx';

async function openPalette(): Promise<TestPage> {
  const page = createTestPage();
  await page.list([summary({ title: 'Idle one' }), summary({ sessionId: 'w', title: 'Busy', activity: 'working' })]);
  const action = { id: 'unknown', title: 'Some action', group: 'Page', isPossible: true, run: () => {} } as const;
  const props = { mode: 'all', actions: [action], onShow: () => {}, onReveal: async () => {} } as const;
  await render(page, <Palette {...props} text={createCell('')} />);
  return page;
}

it('gives every kind of row an icon', async () => {
  await openPalette();
  const rows = [...document.querySelectorAll('[role=option]')];
  expect(rows).toHaveLength(3);
  expect(rows.map((row) => row.querySelectorAll('.palette-mark svg').length)).toEqual([1, 1, 1]);
});

it('offers a new session with the text if nothing matches, and sends nothing yet', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const page = await openPalette();
  page.answer('workbench.search', { ok: true, value: { hits: [] } });
  await type(field('Search sessions and actions'), 'no such thing');
  expect(texts('.palette-label')).toEqual([]);
  expect(texts('.palette-state')).toEqual(['Searching…']);
  await act(async () => vi.advanceTimersByTime(100));
  expect(texts('.palette-label')).toEqual(['New session: “no such thing”']);
  expect(texts('.palette-state')).toEqual(['No results for “no such thing”']);
  await press('Enter');
  await act(async () => new Promise((resolve) => requestAnimationFrame(() => resolve(undefined))));
  expect(page.workbench.panels.front.get()).toEqual({ name: 'new-session' });
  const id = page.workbench.startForm.current.get() ?? '';
  expect(page.workbench.drafts.read(id)).toBe('no such thing');
  expect(page.callsOf('session.send')).toEqual([]);
});

it('has the text that was typed before it could appear, and forgets it when it closes', async () => {
  const text = createCell('set');
  const props = { mode: 'all', actions: [], onShow: () => {}, onReveal: async () => {} } as const;
  const close = await render(createTestPage(), <Palette {...props} text={text} />);
  await act(async () => text.update((held) => `${held}tings`));
  expect(field('Search sessions and actions')).toMatchObject({ value: 'settings' });
  close();
  expect(text.get()).toBe('');
});
