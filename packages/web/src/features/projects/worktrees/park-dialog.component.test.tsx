import { act } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { click } from '../../../testing/events.ts';
import { failed } from '../../../testing/fake-api.ts';
import { button, one, pageText, texts } from '../../../testing/queries.ts';
import { render } from '../../../testing/render.tsx';
import { createTestPage } from '../../../testing/test-page.ts';
import { ParkDialog } from './park-dialog.tsx';
import { worktree } from '../../../testing/sample-worktree.ts';

describe('parking a worktree', () => {
  it('WT-4: shows what would not be kept, and keeps the selected files', async () => {
    const page = createTestPage();
    const close = vi.fn();
    page.answer('worktree.read', { ok: true, value: worktree() });
    const notKept = [
      { path: 'node_modules', size: 48_000_000 },
      { path: 'local.db', size: 12_000_000 },
    ];
    page.answer('worktree.park', { ok: true, value: { notKept } });
    await render(page, <ParkDialog worktreeId="w" onClose={close} />);
    expect(texts('.park-files label')).toEqual(['node_modules48 MB', 'local.db12 MB']);
    expect(button('Park and delete 2 items').disabled).toBe(false);
    await click(one('.park-files label:last-child input'));
    page.answer('worktree.park', failed('The session is working in this folder.', 'TURN_RUNNING'));
    await click(button('Park and delete 1 item'));
    expect(one('[role=alert]').textContent).toBe('The session is working in this folder.');
    page.answer('worktree.park', { ok: true, value: { notKept: [] } });
    await click(button('Park and delete 1 item'));
    expect(page.callsOf('worktree.park')).toEqual([
      ['w', { dryRun: true }],
      ['w', { keep: ['local.db'], dropIgnored: true }],
      ['w', { keep: ['local.db'], dropIgnored: true }],
    ]);
    expect(close).toHaveBeenCalledOnce();
  });

  it('WT-4: drops nothing if everything is kept', async () => {
    const page = createTestPage();
    page.answer('worktree.park', { ok: true, value: { notKept: [] } });
    await render(page, <ParkDialog worktreeId="w" onClose={() => {}} />);
    expect(pageText()).toContain('Everything in the folder is kept.');
    await click(button('Park'));
    expect(page.callsOf('worktree.park')[1]).toEqual(['w', {}]);
  });

  it('reports a failure on the page if the dialog was closed before, and only then', async () => {
    const page = createTestPage();
    page.answer('worktree.read', { ok: true, value: worktree() });
    page.answer('worktree.park', { ok: true, value: { notKept: [] } });
    const close = await render(page, <ParkDialog worktreeId="w" onClose={() => {}} />);
    page.answer('worktree.park', failed('The session is working in this folder.', 'TURN_RUNNING'));
    await click(button('Park'));
    expect(one('[role=alert]').textContent).toBe('The session is working in this folder.');
    expect(page.workbench.failures.get()).toBeNull();
    const reply = Promise.withResolvers<ReturnType<typeof failed>>();
    page.answer('worktree.park', reply.promise);
    await click(button('Park'));
    close();
    await act(async () => reply.resolve(failed('The disk is full.')));
    expect(page.workbench.failures.get()?.why).toBe('The disk is full.');
  });
});
