import { act } from 'react';
import { describe, expect, it } from 'vitest';
import type { Worktree } from '@liminal/contracts';
import { click } from '../../../testing/events.ts';
import { failed } from '../../../testing/fake-api.ts';
import { button, buttonNames, one, pageText, texts } from '../../../testing/queries.ts';
import { render } from '../../../testing/render.tsx';
import { createTestPage, project, type TestPage } from '../../../testing/test-page.ts';
import { worktree } from '../../../testing/sample-worktree.ts';
import { formatAgo } from '../../../ui/format.ts';
import { WorktreesDialog } from './worktrees-dialog.tsx';

async function open(worktrees: readonly Worktree[]): Promise<TestPage> {
  const page = createTestPage();
  page.answer('worktree.list', { ok: true, value: { worktrees } });
  await render(page, <WorktreesDialog project={project()} onClose={() => {}} />);
  return page;
}

describe('the worktrees of a project', () => {
  it('WT-5: are listed with their state and the available actions', async () => {
    await open([
      worktree({ dirty: true, ahead: 2, size: 2048 }),
      worktree({ worktreeId: 'v', branch: 'old', state: 'parked' }),
      worktree({ worktreeId: 'u', branch: 'gone', state: 'missing' }),
      worktree({ worktreeId: 't', branch: 'theirs', state: 'foreign' }),
    ]);
    expect(texts('.worktree-about')[0]).toMatch(/^Uncommitted changes · 2 commits not merged · /);
    const lastUsed = formatAgo(worktree({}).lastUsed, Date.now());
    expect(texts('.worktree-about').slice(1)).toEqual([
      `Parked · ${lastUsed}`,
      `Folder is gone · ${lastUsed}`,
      'Created outside Liminal Builder',
    ]);
    const offered = buttonNames().filter((name) => name.includes(': '));
    expect(offered).toEqual([
      'Merge or publish…: fix',
      'Park…: fix',
      'Remove: fix',
      'Merge or publish…: old',
      'Restore: old',
      'Remove: old',
      'Recreate: gone',
    ]);
  });

  it('WT-4: an action that would lose work shows why it was refused', async () => {
    const page = await open([worktree()]);
    page.answer('worktree.remove', failed('It has changes that are not committed.', 'WORKTREE_DIRTY'));
    await click(button('Remove: fix'));
    expect(page.callsOf('worktree.remove')).toEqual([['w', {}]]);
    expect(one('[role=alert]').textContent.trim()).toBe('It has changes that are not committed.');
    await click(button('Park…: fix'));
    expect(page.workbench.panels.front.get()).toEqual({ name: 'park', projectId: 'p', worktreeId: 'w' });
  });

  it('WT-4: a removal that would only lose ignored files can be confirmed', async () => {
    const page = await open([worktree()]);
    const message = 'Ignored files would be deleted: node_modules.';
    const failure = { code: 'WORKTREE_DIRTY' as const, message, details: { notKept: [] } };
    page.answer('worktree.remove', { ok: false, failure });
    await click(button('Remove: fix'));
    await click(button('Remove with ignored files'));
    expect(page.callsOf('worktree.remove')).toEqual([
      ['w', {}],
      ['w', { dropIgnored: 'true' }],
    ]);
  });

  it('WT-2: show their progress and the output of their setup, as the server reports it', async () => {
    const page = await open([worktree({ state: 'creating' })]);
    const hear = (part: Partial<Worktree>): Promise<void> =>
      act(async () => void page.workbench.worktrees.hear({ type: 'worktree:changed', worktrees: [worktree(part)] }));
    await hear({ state: 'creating', progress: { step: 'files', done: 40, total: 80 } });
    expect(one('.worktree-progress').textContent).toBe('Writing files… 50%');
    const setup = { command: 'npm ci', output: 'added 3 packages\n', exitCode: null, running: true };
    await hear({ state: 'setup', setup });
    expect(one('.worktree-setup summary').textContent).toBe('Setup command is running: npm ci');
    expect(one('.worktree-setup pre').textContent).toBe('added 3 packages');
    await hear({ state: 'failed', error: 'It failed.', setup: { ...setup, exitCode: 1, running: false } });
    expect(one('.worktree-about').textContent).toContain('It failed.');
    await click(button('Start anyway: fix'));
    expect(page.callsOf('worktree.startAnyway')).toEqual([['w']]);
    await act(
      async () => void page.workbench.worktrees.hear({ type: 'worktree:changed', worktrees: [], removed: ['w'] }),
    );
    expect(pageText()).toContain('No worktrees yet');
  });

  it('offers to start a session if there is none', async () => {
    const page = await open([]);
    expect(pageText()).toContain('No worktrees yet');
    await click(button('New session'));
    expect(page.workbench.panels.front.get()).toEqual({ name: 'new-session', projectId: 'p' });
  });

  it('shows what happened if they can’t be loaded, and tries again', async () => {
    const page = createTestPage();
    page.answer('worktree.list', failed('The disk is gone.', 'GIT_FAILED'));
    await render(page, <WorktreesDialog project={project()} onClose={() => {}} />);
    expect(one('[role=alert]').textContent).toContain("Couldn't list the worktrees.The disk is gone.");
    page.answer('worktree.list', { ok: true, value: { worktrees: [worktree()] } });
    await click(button('Try again'));
    expect(texts('[role=alert]')).toEqual([]);
    expect(texts('.worktree-branch')).toEqual(['fix']);
  });
});
