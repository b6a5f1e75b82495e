import { expect, it } from 'vitest';
import { sessionSummary } from '@liminal/domain/session/testing/session-summary';
import { click, type } from '../../testing/events.ts';
import { button, field } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage, project, type TestPage } from '../../testing/test-page.ts';
import ProjectPanel from './project-panel.tsx';

async function openDialog(): Promise<TestPage> {
  const page = createTestPage();
  await page.list([sessionSummary()], [project()]);
  page.workbench.panels.open({ name: 'rename', sessionId: 's' });
  await render(page, <ProjectPanel panel={{ name: 'rename', sessionId: 's' }} onClose={page.workbench.panels.close} />);
  return page;
}
const title = (): HTMLInputElement => field('Session title');
const changes = (page: TestPage): unknown[] => page.callsOf('session.patch');

it('renames the session, with the old title selected at first', async () => {
  const page = await openDialog();
  expect(document.activeElement).toBe(title());
  expect([title().value, title().selectionStart, title().selectionEnd]).toEqual(['Title', 0, 'Title'.length]);
  await type(title(), '  A  better   title ');
  await click(button('Rename'));
  expect(changes(page)).toEqual([['s', { title: 'A better title' }]]);
  expect(page.workbench.panels.front.get()).toBeNull();
});

it('changes nothing if the title stays, and accepts no empty one', async () => {
  const page = await openDialog();
  await type(title(), ' ');
  expect(button('Rename').disabled).toBe(true);
  await type(title(), 'Title ');
  await click(button('Rename'));
  expect(changes(page)).toEqual([]);
  expect(page.workbench.panels.front.get()).toBeNull();
});
