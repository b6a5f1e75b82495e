import { act } from 'react';
import { describe, expect, it } from 'vitest';
import type { Project, ProviderSummary } from '@liminal/contracts';
import { personsItemId } from '@liminal/domain/items/item-id';
import { sessionSummary as summary } from '@liminal/domain/session/testing/session-summary';
import { appendMessage, message, plan, thinking, upsertMessage } from '@liminal/domain/timeline/testing/messages';
import { click } from '../../testing/events.ts';
import { button, buttonNames, one, pageText, texts } from '../../testing/queries.ts';
import { project } from '../../testing/test-page.ts';
import { showRows } from './testing/rows.tsx';

const line = (): HTMLButtonElement => one<HTMLButtonElement>('.collapsible-line');

describe('the user’s own message', () => {
  it('is shown as written, including markup', async () => {
    await showRows([message('t1:0:0', { origin: 'user', content: '# not a *heading*\n<b>x</b>' })]);
    expect(one('.user-text').textContent).toContain('# not a *heading*\n<b>x</b>');
    expect(document.querySelector('.user-text :is(h1, b, em)')).toBeNull();
  });

  it('lists its attachments with their size', async () => {
    const attachments = [
      { mimeType: 'image/png', name: 'shot.png', size: 1_200_000 },
      { mimeType: 'image/png', size: 2000 },
    ];
    await showRows([message('t1:0:0', { origin: 'user', content: '', attachments })]);
    expect(texts('.user-attachments li')).toEqual(['shot.png 1.2 MB', 'Image 2 KB']);
  });

  it('shows that it was sent into a running turn', async () => {
    await showRows([
      message(personsItemId('t1'), { origin: 'user', content: 'first' }),
      message(personsItemId('t1', 1), { origin: 'user', content: 'steered' }),
    ]);
    const [first, steered] = [...document.querySelectorAll('.user-text')];
    expect(first?.querySelector('.row-note')).toBeNull();
    expect(steered?.querySelector('.row-note')).not.toBeNull();
  });
});

describe('the actions of a message', () => {
  it('move the user’s text back into the composer or resend it, and show the time it was sent', async () => {
    const page = await showRows([message('t1:0:0', { origin: 'user', content: 'Fix it' })]);
    expect(one('.message-actions time').getAttribute('datetime')).toMatch(/^2026-/);
    await click(button('Reuse message'));
    expect(page.workbench.panels.insert.get()).toMatchObject({ sessionId: 's', text: 'Fix it' });
    await click(button('Retry message'));
    expect(page.callsOf('session.send')).toMatchObject([['s', { content: 'Fix it' }]]);
    expect(button('Retry message').disabled).toBe(true);
  });

  it('reuse or resend the user’s message with its images, unless they are gone', async () => {
    const images = [{ mimeType: 'image/png' as const, data: 'AAAA' }];
    const attachments = [{ mimeType: 'image/png', size: 3 }];
    const page = await showRows([message('t1:0:0', { origin: 'user', content: '', attachments })]);
    page.answer('session.sentMessage', { ok: true, value: { content: '', images: [], mentions: [] } });
    await click(button('Retry message'));
    expect(page.callsOf('session.send')).toEqual([]);
    page.answer('session.sentMessage', { ok: true, value: { content: '', images, mentions: [] } });
    await click(button('Reuse message'));
    expect(page.workbench.panels.insert.get()).toMatchObject({ text: '', images });
    await click(button('Retry message'));
    expect(page.callsOf('session.send')).toMatchObject([['s', { content: '', images }]]);
    expect(button('Retry message').disabled).toBe(true);
  });

  it('CP-2: fork after the turn, in this folder or in a new worktree if one is possible', async () => {
    const page = await showRows([message('t1:0:0', { origin: 'user', content: 'Fix it' })], {});
    const providers = [{ cliType: 'demo', capabilities: { forkAtTurn: true } } as ProviderSummary];
    const listProject = (part: Partial<Project>) =>
      act(async () => {
        const listed = { providers, projects: [project(part)], sessions: new Map([['s', summary()]]) };
        page.workbench.directory.update((held) => ({ ...held, ...listed }));
      });
    page.answer('session.fork', { ok: true, value: { sessionId: 'copy', cliType: 'demo', projectId: 'p' } });
    await listProject({ trusted: false, branch: 'main' });
    await click(button('Fork after this turn'));
    expect(page.callsOf('session.fork')).toEqual([['s', { turnId: 't1' }]]);
    await listProject({ branch: 'main' });
    await click(button('Fork after this turn'));
    expect(texts('[role=menuitem]')).toEqual(['Fork in this folder', 'Fork in a new worktree…']);
    await click(button('Fork in a new worktree…'));
    expect(page.workbench.panels.front.get()).toEqual({ name: 'fork', sessionId: 's', turnId: 't1' });
  });

  it('only copy the agent’s text, once it has ended', async () => {
    await showRows([message('t1:1:0', { content: 'Done' })]);
    expect(buttonNames()).toEqual(['Copy message']);
  });
});

describe('the agent’s text', () => {
  it('is shown as markdown, without any HTML in it', async () => {
    await showRows([message('t1:1:0', { content: 'Some **bold** words\n\n<script>alert(1)</script>' })], {});
    expect(texts('.markdown strong, .markdown [data-streamdown=strong]')).toEqual(['bold']);
    expect(document.querySelector('.markdown script')).toBeNull();
  });

  it('grows in place', async () => {
    const page = await showRows([message('t1:1:0', { status: 'update', content: 'Hel' })]);
    const place = one('.markdown');
    await page.hear((seq) => appendMessage(seq, { itemId: 't1:1:0', offset: 3, text: 'lo there' }));
    expect(place.isConnected).toBe(true);
    expect(place.textContent).toContain('Hello there');
  });

  it.each([
    ['done', message('t1:1:0'), {}, 0],
    ['stopped', message('t1:1:0', { status: 'update' }), { status: 'cancelled' as const }, 0],
    ['interrupted', message('t1:1:0', { status: 'error' }), {}, 1],
    ['still being written', message('t1:1:0', { status: 'update' }), undefined, 0],
  ])('has a note below it only if it was interrupted: %s', async (_, item, ended, notes) => {
    await showRows([item], ended);
    expect(texts('.row-note')).toHaveLength(notes);
  });
});

describe('thinking', () => {
  it('is one collapsed line with its duration, and expands on a click', async () => {
    const took = { sourceTimestamp: '2026-01-01T00:00:00.000Z', emittedAt: '2026-01-01T00:00:06.200Z' };
    await showRows([thinking('t1:1:0', { content: 'First this. '.repeat(10), ...took })], {});
    expect(line().getAttribute('aria-expanded')).toBe('false');
    expect(texts('.collapsible-verb')).toEqual(['Thought for 6 s']);
    expect(pageText()).not.toContain('First this.');
    await click(line());
    expect(line().getAttribute('aria-expanded')).toBe('true');
    expect(texts('.collapsible-details').join()).toContain('First this.');
    await click(line());
    expect(pageText()).not.toContain('First this.');
  });

  it('has different labels while it runs and afterwards', async () => {
    const page = await showRows([thinking('t1:1:0', { status: 'update' })]);
    const [before] = texts('.collapsible-verb');
    await page.hear((seq) => upsertMessage(seq, thinking('t1:1:0', { order: 0 })));
    expect(texts('.collapsible-verb')[0]).not.toBe(before);
  });
});

describe('a system note', () => {
  it('looks different from the agent’s text, and a failure from both', async () => {
    await showRows([
      message('t1:n1:0', { origin: 'system', content: 'Context was *compacted*' }),
      message('t1:n2:0', { origin: 'system', content: 'It broke', status: 'error' }),
    ]);
    expect(texts('.system-note')).toEqual(['Context was *compacted*', 'It broke']);
    expect(texts('.system-note-failed')).toEqual(['It broke']);
    expect(document.querySelector('.markdown')).toBeNull();
  });
});

describe('the plan', () => {
  const entries = [
    { content: 'Read', status: 'completed' as const },
    { content: 'Write', status: 'in_progress' as const },
    { content: 'Test', status: 'pending' as const },
  ];

  it('counts finished entries, and shows the state of each', async () => {
    await showRows([plan('t1:1:0', { entries })]);
    expect(texts('.plan-head')).toEqual([expect.stringContaining('1 of 3')]);
    expect(texts('.plan-entry')).toEqual(['Done: Read', 'In progress: Write', 'To do: Test']);
  });

  it('follows changes from the agent', async () => {
    const page = await showRows([plan('t1:1:0', { entries })]);
    const done = entries.map((entry) => ({ ...entry, status: 'completed' as const }));
    await page.hear((seq) => upsertMessage(seq, plan('t1:1:0', { entries: done, order: 0 })));
    expect(texts('.plan-head')).toEqual([expect.stringContaining('3 of 3')]);
  });
});
