import { act } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { click } from '../../testing/events.ts';
import { button, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage, project, type TestPage } from '../../testing/test-page.ts';
import ProjectPanel, { type ProjectPanelProps } from './project-panel.tsx';

const other = project({ projectId: 'other', name: 'other' });
const titles = (): string[] => texts('dialog h2');

async function open(panel: ProjectPanelProps['panel'], onClose: () => void = () => {}): Promise<TestPage> {
  const page = createTestPage();
  await page.list([], [other, project()]);
  await render(page, <ProjectPanel panel={panel} onClose={onClose} />);
  return page;
}

describe('a dialog about a project', () => {
  it.each([
    ['trust', 'Trust repo?', 'Trust this folder'],
    ['remove-project', 'Remove repo?', 'Remove project'],
  ] as const)('says that the project was removed, and acts on no other: %s', async (name, title, action) => {
    const page = await open({ name, projectId: 'p' });
    expect(titles()).toEqual([title]);
    await page.list([], [other]);
    expect(titles()).toEqual(['This project was removed']);
    expect(() => button(action)).toThrow();
    await click(button('Add project'));
    expect(page.workbench.panels.front.get()).toEqual({ name: 'add-project' });
  });

  it('waits until the projects are loaded', async () => {
    const page = createTestPage();
    await render(page, <ProjectPanel panel={{ name: 'trust', projectId: 'p' }} onClose={() => {}} />);
    expect(titles()).toEqual([]);
    await page.list([]);
    expect(titles()).toEqual(['Trust repo?']);
  });

  it('closes once the user has removed the project', async () => {
    const close = vi.fn();
    const page = await open({ name: 'remove-project', projectId: 'p' }, close);
    await click(button('Remove project'));
    await act(async () => {});
    expect(page.callsOf('project.remove')).toEqual([['p']]);
    expect(close).toHaveBeenCalledOnce();
  });
});
