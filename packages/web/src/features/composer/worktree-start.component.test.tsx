import { act } from 'react';
import { expect, it } from 'vitest';
import { click } from '../../testing/events.ts';
import { button, one, texts } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { worktree } from '../../testing/sample-worktree.ts';
import { createTestPage } from '../../testing/test-page.ts';
import { QueueList } from './queue-list.tsx';

it('WT-2: shows the output of the setup, and sends the message once the user starts anyway', async () => {
  const page = createTestPage();
  await page.list([]);
  const { newSessions, outgoing, tabs } = page.workbench;
  const setup = { command: 'npm ci', output: 'no luck\n', exitCode: 3, running: false };
  const message = 'The setup command failed (exit code 3).';
  const failure = { code: 'SESSION_CREATE_FAILED', message, details: { worktreeId: 'w' } };
  page.answer('session.create', { ok: false, failure });
  page.answer('worktree.read', { ok: true, value: worktree({ state: 'failed', setup }) });
  const id = newSessions.open({ projectId: 'p', cliType: 'demo' });
  newSessions.place(id, { kind: 'worktree' });
  tabs.show(id);
  const store = page.workbench.session(id);
  if (store === undefined) throw new Error('The new session has no store');
  await render(page, <QueueList onTakeBack={() => {}} onSteered={() => {}} onTooLate={() => {}} />, { store });
  await act(async () => outgoing.send(id, 'Fix it'));
  expect(texts('.queue-line .field-error')).toEqual([message]);
  expect(one('.worktree-setup pre').textContent).toBe('no luck');
  page.answer('session.create', { ok: true, value: { sessionId: 's2', cliType: 'demo', projectId: 'p' } });
  await click(button('Start anyway'));
  expect(page.callsOf('worktree.startAnyway')).toEqual([['w']]);
  expect(page.callsOf('session.create').at(-1)).toMatchObject([{ place: { kind: 'worktree', worktreeId: 'w' } }]);
  expect(page.callsOf('session.send')).toMatchObject([['s2', { content: 'Fix it' }]]);
});

it('WT-2: shows the progress of the worktree that a message waits for, and of no other', async () => {
  const page = createTestPage();
  await page.list([]);
  const { newSessions, outgoing, tabs, worktrees } = page.workbench;
  page.answer('session.create', new Promise(() => {}));
  const id = newSessions.open({ projectId: 'p', cliType: 'demo' });
  newSessions.place(id, { kind: 'worktree' });
  tabs.show(id);
  const store = page.workbench.session(id);
  if (store === undefined) throw new Error('The new session has no store');
  await render(page, <QueueList onTakeBack={() => {}} onSteered={() => {}} onTooLate={() => {}} />, { store });
  await act(async () => outgoing.send(id, 'Fix it'));
  const progress = { step: 'files', done: 1, total: 4 } as const;
  const making = worktree({ state: 'creating', progress, startedFor: id });
  const other = worktree({
    worktreeId: 'o',
    state: 'creating',
    progress: { ...progress, done: 3 },
    startedFor: 'other',
  });
  await act(async () => void worktrees.hear({ type: 'worktree:changed', worktrees: [making, other] }));
  await expect.poll(() => texts('.queue-line .muted')).toEqual(['Sending…', 'Writing files… 25%']);
});
