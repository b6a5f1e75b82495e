import { act } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { DiscoveredSession, Project } from '@liminal/contracts';
import { FrontPanel } from './front-panel.tsx';
import { click, type } from './testing/events.ts';
import { failed } from './testing/fake-api.ts';
import { button, field, one, texts } from './testing/queries.ts';
import { render } from './testing/render.tsx';
import { createTestPage, project, type TestPage } from './testing/test-page.ts';

const found: DiscoveredSession = {
  sessionId: 'old',
  cliType: 'demo',
  title: 'Old session',
  updatedAt: '2026-01-01T00:00:00.000Z',
  size: 10,
} as DiscoveredSession;
const titles = (): string[] => texts('dialog h2');
const open = (page: TestPage, panel: Parameters<TestPage['workbench']['panels']['open']>[0]): Promise<void> =>
  act(async () => page.workbench.panels.open(panel));
/** Dialogs load when they are first shown. */
const shown = async (title: string): Promise<void> => {
  await act(() => vi.dynamicImportSettled());
  expect(titles()).toEqual([title]);
};

describe('a dialog that is closed before its reply arrives', () => {
  async function closeEarly() {
    const page = createTestPage();
    const reply = Promise.withResolvers<ReturnType<typeof failed> | { ok: true; value: object }>();
    page.answer('session.discover', { ok: true, value: { sessions: [found] } });
    page.answer('session.load', reply.promise);
    await page.list([]);
    await render(page, <FrontPanel actions={() => []} onShow={() => {}} />);
    await open(page, { name: 'discover', projectId: 'p' });
    await shown('Import terminal sessions · repo');
    await click(one('.agent'));
    await click(button('Close'));
    expect(page.workbench.panels.front.get()).toBeNull();
    await open(page, { name: 'shortcuts' });
    await shown('Keyboard shortcuts');
    return { page, resolve: (value: Parameters<typeof reply.resolve>[0]) => act(async () => reply.resolve(value)) };
  }

  it('doesn’t close the dialog that is open then', async () => {
    const { page, resolve } = await closeEarly();
    await resolve({ ok: true, value: { sessionId: 'old', cliType: 'demo', projectId: 'p' } });
    expect(titles()).toEqual(['Keyboard shortcuts']);
    await click(button('Close'));
    expect(page.workbench.panels.front.get()).toBeNull();
  });

  it('reports its failure on the page', async () => {
    const { page, resolve } = await closeEarly();
    await resolve(failed('The file is damaged.'));
    expect(page.workbench.failures.get()).toEqual({
      what: "Couldn't import the session.",
      why: 'The file is damaged.',
    });
    expect(titles()).toEqual(['Keyboard shortcuts']);
  });

  it('doesn’t start a session in the project that was added', async () => {
    const page = createTestPage();
    const reply = Promise.withResolvers<{ ok: true; value: Project }>();
    page.answer('project.add', reply.promise);
    page.answer('workbench.folders', failed('No folders.'));
    await page.list([]);
    await render(page, <FrontPanel actions={() => []} onShow={() => {}} />);
    await open(page, { name: 'add-project' });
    await shown('Add project');
    await type(field('Folder'), '/work/other');
    await click(button('Add'));
    await click(button('Close'));
    await act(async () => reply.resolve({ ok: true, value: project({ projectId: 'other' }) }));
    expect(page.callsOf('project.add')).toHaveLength(1);
    expect(page.workbench.panels.front.get()).toBeNull();
  });
});
