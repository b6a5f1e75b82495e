import { act } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { RewindPlanReply, SentMessage } from '@liminal/contracts';
import { click } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { button, field, pageText, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { createTestPage, type TestPage } from '../../testing/test-page.ts';
import RewindDialog from './rewind-dialog.tsx';

const plan: RewindPlanReply = {
  planId: 'plan',
  turns: 2,
  restore: [
    { path: 'src/a.ts', change: 'modified', selected: true },
    { path: 'src/new.ts', change: 'deleted', selected: true },
  ],
  merge: ['src/b.ts'],
  foreign: [{ path: 'notes.md', reason: 'You changed it afterwards.' }],
  lost: ['What was pushed stays pushed.'],
  counts: { 'src/a.ts': { added: 6, removed: 24 }, 'src/new.ts': { added: 0, removed: 14 } },
  keeps: 't1',
};
const image = { mimeType: 'image/png', data: 'AAAA', name: 'shot.png' } as const;
const sent: SentMessage = { content: 'Try again @src/a.ts', images: [image], mentions: ['src/a.ts'] };
const onClose = vi.fn<() => void>();

async function showDialog(answer: Parameters<TestPage['answer']>[1] = { ok: true, value: plan }): Promise<TestPage> {
  const page = createTestPage();
  page.answer('session.planRewind', answer);
  page.answer('session.sentMessage', { ok: true, value: sent });
  page.answer('session.rewind', { ok: true, value: { rewindId: 'r', restored: ['src/a.ts'], left: [] } });
  await render(page, <RewindDialog sessionId="s" turnId="t2" text="Try again" images={1} onClose={onClose} />);
  return page;
}

describe('CP-3: rewinding', () => {
  it('shows what it would do, and does what is selected', async () => {
    const page = await showDialog();
    expect(texts('.rewind h3')).toEqual([
      'Restore 2 files',
      'Also changed by you or another session kept unless selected',
      "Can't be undone",
    ]);
    expect(texts('.rewind-file')).toEqual([
      'src/a.ts+6 −24',
      'src/new.tsremoved+0 −14',
      'src/b.tsother changes staymerged',
      'notes.mdYou changed it afterwards.conflict',
    ]);
    expect(page.callsOf('session.rewind')).toEqual([]);
    await click(field('Restore notes.md'));
    await click(button('Rewind'));
    expect(page.callsOf('session.rewind')).toEqual([['s', { turnId: 't2', planId: 'plan', also: ['notes.md'] }]]);
  });

  it('CP-8: restores the message to the composer, with its images and mentions', async () => {
    const page = await showDialog();
    await click(button('Rewind'));
    const { content: text, images, mentions } = sent;
    expect(page.workbench.panels.insert.get()).toEqual({ sessionId: 's', text, images, mentions });
  });

  it('CP-8: shows how many images are no longer stored', async () => {
    const page = createTestPage();
    page.answer('session.planRewind', { ok: true, value: plan });
    page.answer('session.rewind', { ok: true, value: { rewindId: 'r', restored: [], left: [] } });
    page.answer('session.sentMessage', failed('No turn has this id.', 'TURN_NOT_FOUND'));
    await render(page, <RewindDialog sessionId="s" turnId="t2" text="Try again" images={2} onClose={onClose} />);
    expect(pageText()).toContain("2 images can't be restored");
    await click(button('Rewind'));
    expect(page.workbench.panels.insert.get()).toMatchObject({ text: 'Try again', images: [] });
  });

  it('CP-2: forks instead, with the message in the composer of the fork', async () => {
    const page = await showDialog();
    page.answer('session.fork', { ok: true, value: { sessionId: 'copy', cliType: 'demo', projectId: 'p' } });
    await click(button('Fork instead'));
    expect(page.callsOf('session.fork')).toEqual([['s', { turnId: 't1' }]]);
    const { drafts, tabs } = page.workbench;
    expect([drafts.read('copy'), drafts.images('copy'), [...drafts.mentions('copy')]]).toEqual([
      sent.content,
      sent.images,
      sent.mentions,
    ]);
    expect(tabs.get().active).toBe('copy');
    expect(page.callsOf('session.rewind')).toEqual([]);
  });

  it('CP-4: can be undone', async () => {
    const page = await showDialog();
    await click(button('Rewind'));
    await click(button('Undo rewind'));
    expect(page.callsOf('session.undoRewind')).toEqual([['s', { rewindId: 'r' }]]);
    expect(onClose).toHaveBeenCalled();
  });

  it('reports a failure on the page if it was closed before', async () => {
    const page = createTestPage();
    const reply = Promise.withResolvers<ReturnType<typeof failed>>();
    page.answer('session.planRewind', { ok: true, value: plan });
    page.answer('session.sentMessage', { ok: true, value: sent });
    page.answer('session.rewind', reply.promise);
    const close = await render(
      page,
      <RewindDialog sessionId="s" turnId="t2" text="Try again" images={1} onClose={onClose} />,
    );
    await click(button('Rewind'));
    close();
    await act(async () => reply.resolve(failed('A merge is in progress.', 'GIT_BUSY')));
    const reported = { what: "Couldn't rewind the session.", why: 'A merge is in progress.' };
    expect(page.workbench.failures.get()).toEqual(reported);
  });

  it('shows why it can’t rewind, and changes nothing', async () => {
    const page = await showDialog(failed('A merge is in progress.', 'GIT_BUSY'));
    expect(pageText()).toContain('A merge is in progress.');
    expect(button('Rewind').disabled).toBe(true);
    expect(page.callsOf('session.rewind')).toEqual([]);
  });
});
