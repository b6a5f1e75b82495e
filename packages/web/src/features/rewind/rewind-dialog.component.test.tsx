import { describe, expect, it, vi } from 'vitest';
import type { RewindPlanReply } from '@liminal/contracts';
import { click } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { button, field, pageText, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage, type TestPage } from '../../testing/test-page.ts';
import RewindDialog from './rewind-dialog.tsx';

const plan: RewindPlanReply = {
  planId: 'plan',
  turns: 2,
  restore: [{ path: 'src/a.ts', change: 'modified', selected: true }],
  merge: ['src/b.ts'],
  foreign: [{ path: 'notes.md', reason: 'You changed it afterwards.' }],
  lost: ['What was pushed stays pushed.'],
};
const onClose = vi.fn<() => void>();

async function showDialog(answer: Parameters<TestPage['answer']>[1] = { ok: true, value: plan }): Promise<TestPage> {
  const page = createTestPage();
  page.answer('session.planRewind', answer);
  page.answer('session.rewind', { ok: true, value: { rewindId: 'r', restored: ['src/a.ts'], left: [] } });
  await render(page, <RewindDialog sessionId="s" turnId="t2" text="Try again" onClose={onClose} />);
  return page;
}

describe('CP-3: rewinding', () => {
  it('shows first what it would do, and does what was ticked', async () => {
    const page = await showDialog();
    expect(texts('.rewind h3')).toEqual([
      'Restored',
      'Merged with what others changed',
      'Left alone, unless you tick them',
      "Can't be taken back",
    ]);
    expect(page.callsOf('session.rewind')).toEqual([]);
    await click(field('notes.md You changed it afterwards.'));
    await click(button('Rewind'));
    expect(page.callsOf('session.rewind')).toEqual([['s', { turnId: 't2', planId: 'plan', also: ['notes.md'] }]]);
    expect(page.workbench.panels.insert.get()).toEqual({ sessionId: 's', text: 'Try again' });
  });

  it('CP-4: can be undone', async () => {
    const page = await showDialog();
    await click(button('Rewind'));
    await click(button('Undo rewind'));
    expect(page.callsOf('session.undoRewind')).toEqual([['s', { rewindId: 'r' }]]);
    expect(onClose).toHaveBeenCalled();
  });

  it('says why it cannot, and touches nothing', async () => {
    const page = await showDialog(failed('A merge is under way.', 'GIT_BUSY'));
    expect(pageText()).toContain('A merge is under way.');
    expect(button('Rewind').disabled).toBe(true);
    expect(page.callsOf('session.rewind')).toEqual([]);
  });
});
