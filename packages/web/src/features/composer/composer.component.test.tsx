import { act } from 'react';
import { describe, expect, it } from 'vitest';
import type { SessionHistory } from '@liminal/contracts';
import { permission, turnMessage, turnStarted } from '@liminal/domain/timeline/testing/messages';
import { click, focus, press, select, type } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { button, buttonNames, field, one, pageText, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { sessionSummary as summary } from '@liminal/domain/session/testing/session-summary';
import { worktree } from '../../testing/sample-worktree.ts';
import type { NewWorktree } from '../../state/sessions/new-worktree.ts';
import { createTestPage, project, type TestPage } from '../../testing/test-page.ts';
import { Composer } from './composer.tsx';

const working: Partial<SessionHistory> = { turns: [{ turnId: 't1', state: 'running' }] };

async function openComposer(history: Partial<SessionHistory> = {}, canSteer = true): Promise<TestPage> {
  const page = createTestPage(history);
  await render(page, <Composer canSteer={canSteer} takesImages machine={undefined} />);
  return page;
}
const input = (): HTMLTextAreaElement => field<HTMLTextAreaElement>('Message to Demo');
const sent = (page: TestPage): unknown[] => page.callsOf('session.send').map(([, body]) => body);

describe('the place of the session', () => {
  it('WT-1: is shown next to the composer, with the branch', async () => {
    const page = await openComposer();
    await page.list([summary()], [project({ branch: 'main' })]);
    expect(one('.place-line').textContent).toBe('repomainproject folder');
    const place = { kind: 'worktree' as const, folder: '/data/worktrees/fix', branch: 'fix/limit', worktreeId: 'w' };
    await page.list([summary({ place })], [project({ branch: 'main' })]);
    expect(one('.place-line-folder').textContent).toBe('repo');
    expect(one('.place-line-kind').textContent).toBe('worktree');
    expect(one('.place-line-branch').textContent).toBe('fix/limit');
    expect(one('.place-line').title).toBe('/data/worktrees/fix');
    await click(button('Merge or publish…'));
    expect(page.workbench.panels.front.get()).toMatchObject({ name: 'bring-back', worktreeId: 'w' });
  });

  it('WT-1: is shown before a new session has begun', async () => {
    const page = createTestPage();
    await page.list([], [project({ branch: 'main' })]);
    page.answer('worktree.read', { ok: true, value: worktree({ branch: 'liminal/fix', folder: '/data/fix' }) });
    const { newSessions, tabs } = page.workbench;
    const id = newSessions.open({ projectId: 'p', cliType: 'demo' });
    tabs.show(id);
    const store = page.workbench.session(id) ?? page.store;
    await render(page, <Composer canSteer takesImages machine={undefined} />, { store });
    const shown = async (place: NewWorktree): Promise<string> => {
      await act(async () => newSessions.place(id, place));
      return one('.place-line').textContent;
    };
    expect(one('.place-line').textContent).toBe('repomainproject folder');
    expect(await shown({ kind: 'worktree' })).toBe('reponew worktree');
    expect(await shown({ kind: 'worktree', base: 'release', branch: 'fix' })).toBe('repofixnew worktree from release');
    expect(await shown({ kind: 'worktree', worktreeId: 'w' })).toBe('repoliminal/fixworktree');
    expect(one('.place-line').title).toBe('/data/fix');
  });
});

it('names the model even if there is only one to choose', async () => {
  await openComposer({ info: { models: [{ id: 'm', name: 'Opus 5.5' }], modelId: 'm' } });
  expect(texts('.picker-only')).toEqual(['Opus 5.5']);
  expect(document.querySelector('select')).toBeNull();
});

describe('sending a message', () => {
  it('CP-8: sends a restored message with its images and mentions, as far as the text still has them', async () => {
    const page = await openComposer();
    const images = [{ mimeType: 'image/png' as const, data: 'AAAA', name: 'shot.png' }];
    const insert = { sessionId: 's', text: 'Look at @src/a.ts', images, mentions: ['src/a.ts', 'src/gone.ts'] };
    await act(async () => page.workbench.panels.insert.set(insert));
    expect(input().value).toBe('Look at @src/a.ts');
    await press('Enter');
    expect(sent(page)).toEqual([
      { content: 'Look at @src/a.ts', images, mentions: ['src/a.ts'], clientMessageId: 'c1' },
    ]);
    await type(input(), 'Next');
    await press('Enter');
    expect(sent(page).at(-1)).toEqual({ content: 'Next', clientMessageId: 'c2' });
  });

  it('sends on Enter, clears the field and keeps the focus in it', async () => {
    const page = await openComposer();
    await type(input(), '  Hello  ');
    await press('Enter');
    expect(sent(page)).toEqual([{ content: 'Hello', clientMessageId: 'c1' }]);
    expect(input().value).toBe('');
    expect(document.activeElement).toBe(input());
  });

  it('inserts a line break on Shift+Enter and sends nothing', async () => {
    const page = await openComposer();
    await type(input(), 'Hello');
    await press('Enter', { shiftKey: true });
    expect(input().value).toBe('Hello\n');
    expect(sent(page)).toEqual([]);
  });

  it('leaves Enter to an input method that is composing', async () => {
    const page = await openComposer();
    await type(input(), 'こん');
    await press('Enter', { isComposing: true });
    expect(sent(page)).toEqual([]);
  });

  it('sends nothing if there are only spaces, by key or by button', async () => {
    const page = await openComposer();
    expect(button('Send').disabled).toBe(true);
    await type(input(), ' \n ');
    await press('Enter');
    expect(button('Send').disabled).toBe(true);
    expect(sent(page)).toEqual([]);
    await type(input(), 'x');
    expect(button('Send').disabled).toBe(false);
  });

  it('sends with the button too', async () => {
    const page = await openComposer();
    await type(input(), 'Hello');
    await click(button('Send'));
    expect(sent(page)).toMatchObject([{ content: 'Hello' }]);
  });

  it('accepts no message in a session that has ended, and says so if it can’t be reopened', async () => {
    const lastError = { code: 'X', message: 'Its record is gone.', at: '2026-01-01T00:00:00.000Z' };
    const page = await openComposer({ status: { state: 'dead', activity: 'idle', isAlive: false, lastError } });
    page.answer('session.load', failed('It is still gone.'));
    expect(document.querySelector('textarea')).toBeNull();
    expect(pageText()).toContain('Its record is gone.');
    await click(one('.composer-ended button'));
    expect(page.callsOf('session.load')).toEqual([['s']]);
    expect(texts('[role=alert]')).toEqual(['It is still gone.']);
  });
});

describe('while the agent works', () => {
  it('queues on Enter and on the button', async () => {
    const page = await openComposer(working);
    expect(buttonNames()).not.toContain('Send');
    await type(input(), 'Later');
    await press('Enter');
    await type(input(), 'Last');
    await click(button('Queue'));
    expect(sent(page)).toEqual([
      { content: 'Later', clientMessageId: 'c1' },
      { content: 'Last', clientMessageId: 'c2' },
    ]);
  });

  it.each(['ctrlKey', 'metaKey'])('steers on Enter with %s held', async (held) => {
    const page = await openComposer(working);
    await type(input(), 'Now');
    await press('Enter', { [held]: true });
    expect(sent(page)).toEqual([{ content: 'Now', clientMessageId: 'c1', mode: 'steer' }]);
  });

  it('shows what the keys do only while the field is empty', async () => {
    await openComposer(working);
    expect(one('.composer-keys').textContent).toBe('Enter queueCtrl+Enter steer now');
    await type(input(), 'N');
    expect(document.querySelector('.composer-keys')).toBeNull();
  });

  it('steers with its button, which is disabled until something is written', async () => {
    const page = await openComposer(working);
    const steer = one<HTMLButtonElement>('.composer-actions button[title*="Ctrl+Enter"]');
    expect(steer.disabled).toBe(true);
    await type(input(), 'Now');
    await click(steer);
    expect(sent(page)).toMatchObject([{ content: 'Now', mode: 'steer' }]);
  });

  it('doesn’t offer steering for an agent without it, and queues even with Ctrl held', async () => {
    const page = await openComposer(working, false);
    expect(document.querySelector('button[title*="Ctrl+Enter"]')).toBeNull();
    await type(input(), 'Later');
    await press('Enter', { ctrlKey: true });
    expect(sent(page)).toEqual([{ content: 'Later', clientMessageId: 'c1' }]);
  });

  it('doesn’t steer while nothing is running', async () => {
    const page = await openComposer();
    await type(input(), 'Hello');
    await press('Enter', { ctrlKey: true });
    expect(sent(page)).toEqual([{ content: 'Hello', clientMessageId: 'c1' }]);
  });

  it('changes from Send to Queue when a turn starts', async () => {
    const page = await openComposer();
    expect(buttonNames()).toContain('Send');
    await page.hear((seq) => turnMessage(seq, turnStarted()));
    expect(buttonNames()).toContain('Queue');
    expect(buttonNames()).not.toContain('Send');
  });

  it('stops on Escape, once, and shows that it is stopping', async () => {
    const page = await openComposer(working);
    await focus(input());
    await press('Escape');
    await press('Escape');
    expect(page.callsOf('session.cancel')).toEqual([['s']]);
    expect(button('Stopping…').disabled).toBe(true);
  });

  it('can be stopped again after a failed stop, and shows what went wrong', async () => {
    const page = await openComposer(working);
    page.answer('session.cancel', failed('The agent does not answer.'));
    await click(button('Stop'));
    expect(texts('[role=alert]')).toEqual(['The agent does not answer.']);
    expect(button('Stop').disabled).toBe(false);
  });

  it('doesn’t stop on Escape while a permission request is open', async () => {
    const page = await openComposer({ ...working, permissions: [permission('r1')] });
    await focus(input());
    await press('Escape');
    expect(page.callsOf('session.cancel')).toEqual([]);
    expect(buttonNames()).toContain('Stop');
  });
});

describe('the draft', () => {
  it('survives a reload until it is sent', async () => {
    const close = await render(createTestPage(), <Composer canSteer takesImages machine={undefined} />);
    await type(input(), 'Half a thought');
    close();
    await openComposer();
    expect(input().value).toBe('Half a thought');
    await press('Enter');
    expect(createTestPage().workbench.drafts.read('s')).toBe('');
  });
});

describe('mode, model and effort', () => {
  const modes = [
    { id: 'ask', name: 'Ask first' },
    { id: 'bypass', name: 'Bypass permissions' },
  ];
  const picker = (): HTMLSelectElement => field<HTMLSelectElement>('Mode');

  it('shows only the choices that the agent offers', async () => {
    await openComposer({ info: { modes, modeId: 'ask', models: [{ id: 'm', name: 'Only one' }] } });
    expect(picker().value).toBe('ask');
    expect(() => field('Model')).toThrow();
    expect(() => field('Effort')).toThrow();
  });

  it('sets a mode without permission requests only after a confirmation', async () => {
    const page = await openComposer({ info: { modes, modeId: 'ask' } });
    await select(picker(), 'bypass');
    expect(page.callsOf('session.setMode')).toEqual([]);
    expect(one('dialog').textContent).toContain('/work/repo');
    await click(button('Bypass permissions'));
    expect(page.callsOf('session.setMode')).toMatchObject([['s', { modeId: 'bypass', confirm: true }]]);
    expect(document.querySelector('dialog')).toBeNull();
  });

  it('keeps the mode if the user cancels', async () => {
    const page = await openComposer({ info: { modes, modeId: 'ask' } });
    await select(picker(), 'bypass');
    await click(button('Keep asking'));
    expect(page.callsOf('session.setMode')).toEqual([]);
    expect(picker().value).toBe('ask');
  });

  it('shows why a choice was rejected', async () => {
    const page = await openComposer({ info: { modes: [...modes, { id: 'plan', name: 'Plan' }], modeId: 'ask' } });
    page.answer('session.setMode', failed('Not while it works.'));
    await select(picker(), 'plan');
    expect(texts('[role=alert]')).toEqual(['Not while it works.']);
    expect(picker().value).toBe('ask');
  });
});
