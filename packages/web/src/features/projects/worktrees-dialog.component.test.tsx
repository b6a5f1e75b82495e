import { describe, expect, it } from 'vitest';
import type { Worktree } from '@liminal/contracts';
import { click } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { button, buttonNames, one, pageText, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage, project, type TestPage } from '../../testing/test-page.ts';
import { WorktreesDialog } from './worktrees-dialog.tsx';

const worktree = (part: Partial<Worktree> = {}): Worktree => ({
  worktreeId: 'w',
  projectId: 'p',
  sessionId: null,
  folder: '/data/worktrees/fix',
  branch: 'fix',
  base: 'main',
  state: 'ready',
  dirty: false,
  ahead: 0,
  size: null,
  lastUsed: '2026-01-01T00:00:00.000Z',
  ...part,
});

async function open(worktrees: readonly Worktree[]): Promise<TestPage> {
  const page = createTestPage();
  page.answer('worktree.list', { ok: true, value: { worktrees } });
  await render(page, <WorktreesDialog project={project()} onClose={() => {}} />);
  return page;
}

describe('the worktrees of a project', () => {
  it('WT-5: are listed with their state, and each offers what can be done with it', async () => {
    await open([
      worktree({ dirty: true, ahead: 2, size: 2048 }),
      worktree({ worktreeId: 'v', branch: 'old', state: 'parked' }),
      worktree({ worktreeId: 'u', branch: 'gone', state: 'missing' }),
      worktree({ worktreeId: 't', branch: 'theirs', state: 'foreign' }),
    ]);
    expect(texts('.worktree-about')[0]).toMatch(/^Ready · uncommitted changes · 2 commits not merged · /);
    expect(texts('.worktree-about').slice(1)).toEqual(['Parked', 'Folder is gone', 'Made outside']);
    const offered = buttonNames().filter((name) => name.includes(': '));
    expect(offered).toEqual(['Merge into main: fix', 'Park: fix', 'Remove: fix', 'Restore: old', 'Recreate: gone']);
  });

  it('WT-4: what would lose work says why it was refused', async () => {
    const page = await open([worktree()]);
    page.answer('worktree.remove', failed('It has changes that are not committed.', 'WORKTREE_DIRTY'));
    await click(button('Remove: fix'));
    expect(page.callsOf('worktree.remove')).toEqual([['w', {}]]);
    expect(one('[role=alert]').textContent).toBe('It has changes that are not committed.');
    await click(button('Park: fix'));
    expect(page.callsOf('worktree.park')).toEqual([['w']]);
  });

  it('says how to get one where there is none', async () => {
    await open([]);
    expect(pageText()).toContain('No worktrees yet.');
  });
});
