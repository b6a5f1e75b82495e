import { describe, expect, it, vi } from 'vitest';
import { act } from 'react';
import { press, type } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { button, field, one } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage, type TestPage } from '../../testing/test-page.ts';
import { FindBar } from './find-bar.tsx';

const hit = (itemId: string) => ({ sessionId: 's', turnId: 't', itemId, where: 'item', snippet: 'x' });

async function openBar(): Promise<{ page: TestPage; shown: () => unknown[] }> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const page = createTestPage();
  page.workbench.panels.find.set('s');
  const reveal = vi.fn(async (_place: { itemId?: string | undefined }) => {});
  await render(page, <FindBar sessionId="s" onReveal={reveal} />);
  return { page, shown: () => reveal.mock.calls.map(([place]) => place.itemId) };
}
const count = (): string => one('.find-count').textContent;
async function find(words: string): Promise<void> {
  await type(field('Find in conversation'), words);
  await act(async () => vi.advanceTimersByTime(200));
}

describe('find in the conversation', () => {
  it('searches this session on the server, opens the newest match and wraps around by key', async () => {
    const { page, shown } = await openBar();
    page.answer('workbench.search', { ok: true, value: { hits: [hit('new'), hit('middle'), hit('old')] } });
    await find('limit');
    expect(page.callsOf('workbench.search')[0]?.[0]).toEqual({ q: 'limit', sessionId: 's', limit: 200 });
    expect(count()).toBe('3 of 3');
    await press('Enter');
    expect(count()).toBe('2 of 3');
    await press('Enter', { shiftKey: true });
    await press('Enter', { shiftKey: true });
    expect(count()).toBe('1 of 3');
    expect(shown()).toEqual(['new', 'middle', 'new', 'old']);
  });

  it('shows that there are no matches, and what went wrong', async () => {
    const { page } = await openBar();
    page.answer('workbench.search', { ok: true, value: { hits: [] } });
    await find('nowhere');
    expect(count()).toBe('No matches');
    expect(button('Next match').disabled).toBe(true);
    page.answer('workbench.search', failed('The index is being built.'));
    await find('other');
    expect(count()).toBe('The index is being built.');
  });

  it('closes with Escape and returns the focus to the composer', async () => {
    const { page } = await openBar();
    await press('Escape');
    expect(page.workbench.panels.find.get()).toBeNull();
    expect(page.workbench.panels.composerFocus.get()).toBe('s');
  });
});
