import { describe, expect, it, vi } from 'vitest';
import { click, type } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { button, buttonNames, field, one } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage, project, type TestPage } from '../../testing/test-page.ts';
import { ProjectSettingsDialog } from './project-settings-dialog.tsx';

const settings = {
  setupCommand: '',
  checkCommand: 'make test',
  worktreeFolder: '',
  defaultPlace: 'folder',
  commands: [],
};

async function open(onClose: () => void = () => {}): Promise<TestPage> {
  const page = createTestPage();
  page.answer('worktree.settings', { ok: true, value: settings });
  page.answer('file.tree', { ok: true, value: { entries: [{ name: 'package-lock.json' }, { name: 'src' }] } });
  await render(page, <ProjectSettingsDialog project={project()} onClose={onClose} />);
  return page;
}

describe('the settings of a project', () => {
  it('WT-2: offers what the repository suggests, and saves it only if the user accepts it', async () => {
    const close = vi.fn();
    const page = await open(close);
    expect(field('Setup command').value).toBe('');
    // A field with a value gets no suggestion.
    expect(buttonNames().filter((name) => name.startsWith('Use '))).toEqual(['Use npm ci']);
    await click(button('Save'));
    expect(page.callsOf('worktree.saveSettings')).toEqual([['p', settings]]);
    await click(button('Use npm ci'));
    await click(field('A new worktree'));
    await click(button('Add command'));
    await type(field('Name of command 1'), 'Dev');
    await type(field('Command 1'), 'npm run dev');
    await click(button('Add command'));
    await click(button('Save'));
    expect(page.callsOf('worktree.saveSettings')[1]).toEqual([
      'p',
      {
        ...settings,
        setupCommand: 'npm ci',
        defaultPlace: 'worktree',
        commands: [{ name: 'Dev', command: 'npm run dev' }],
      },
    ]);
    expect(close).toHaveBeenCalledTimes(2);
  });

  it('shows why something can’t be saved, and keeps the input', async () => {
    const page = await open();
    page.answer('worktree.saveSettings', failed('Give the whole path of the folder.', 'INVALID_REQUEST'));
    await type(field('Folder for worktrees'), 'trees');
    await click(button('Save'));
    expect(one('[role=alert]').textContent).toBe('Give the whole path of the folder.');
    expect(field('Folder for worktrees').value).toBe('trees');
  });
});
