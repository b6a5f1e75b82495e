import { sessionSummary as summary } from '@liminal/domain/session/testing/session-summary';
import { expect, it } from 'vitest';
import { createTestPage, project } from '../../testing/test-page.ts';
import { projectActions } from './project-actions.ts';

async function openThree() {
  const page = createTestPage();
  const projects = ['p', 'q', 'r'].map((projectId) => project({ projectId, name: `The ${projectId}` }));
  await page.list([summary({ sessionId: 's' }), summary({ sessionId: 'q1', projectId: 'q' })], projects);
  page.workbench.tabs.show('q1');
  return page.workbench;
}

it('offers the other projects, and moves through those with open tabs', async () => {
  const workbench = await openThree();
  const run = (id: string) =>
    projectActions(workbench)
      .find((action) => action.id === id && action.isPossible)
      ?.run();
  expect(projectActions(workbench).map(({ title }) => title)).toEqual([
    'Next project with open tabs',
    'Go to project The p',
    'Go to project The r',
  ]);
  workbench.panels.inbox.set(true);
  run('next-project');
  expect(workbench.tabs.get().active).toBe('s');
  expect(workbench.panels.inbox.get()).toBe(false);
  run('next-project');
  expect(workbench.tabs.get().active).toBe('q1');
  run('go-to-r');
  expect(workbench.activeProject()).toBe('r');
  run('next-project');
  expect(workbench.activeProject()).toBe('p');
});

it('forgets the layout of a removed project', async () => {
  const workbench = await openThree();
  workbench.terminals.isShown.set(true);
  workbench.forgetProject('q');
  expect(workbench.tabs.all()).toEqual(['s']);
  expect([workbench.activeProject(), workbench.terminals.isShown.get()]).toEqual([null, false]);
});
