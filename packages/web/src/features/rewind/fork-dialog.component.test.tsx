import { act } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { click, type } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { button, field, one, pageText } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { worktree } from '../../testing/sample-worktree.ts';
import { createTestPage, type TestPage } from '../../testing/test-page.ts';
import ForkDialog from './fork-dialog.tsx';

const onClose = vi.fn<() => void>();
beforeEach(() => void onClose.mockClear());

const show = async (answer: Parameters<TestPage['answer']>[1]): Promise<TestPage> => {
  const page = createTestPage();
  page.answer('session.fork', answer);
  await render(page, <ForkDialog sessionId="s" turnId="t2" onClose={onClose} />);
  return page;
};
const asked = (page: TestPage) => page.callsOf('session.fork').map(([, body]) => body);
const copy = { ok: true, value: { sessionId: 'copy', cliType: 'demo', projectId: 'p' } } as const;

describe('CP-2: forking in a new worktree', () => {
  it('starts from the chosen branch, and shows the fork', async () => {
    const page = await show(copy);
    await type(field<HTMLInputElement>('Base branch'), 'release');
    await type(field<HTMLInputElement>('New branch'), 'try-it');
    await click(button('Fork session'));
    expect(asked(page)).toMatchObject([
      { turnId: 't2', place: { kind: 'worktree', base: 'release', branch: 'try-it' } },
    ]);
    expect(page.workbench.tabs.get().active).toBe('copy');
    expect(onClose).toHaveBeenCalled();
  });

  it('WT-2: shows the progress of its worktree, and removes it on cancel', async () => {
    const page = await show(new Promise(() => {}));
    await click(button('Fork session'));
    const { clientSessionId } = asked(page)[0] as { clientSessionId: string };
    const progress = { step: 'files', done: 1, total: 2 } as const;
    const worktrees = [worktree({ state: 'creating', startedFor: clientSessionId, progress })];
    await act(async () => void page.workbench.worktrees.hear({ type: 'worktree:changed', worktrees }));
    expect(one('[role="status"]').textContent).toBe('Writing files… 50%');
    await click(button('Cancel'));
    expect(page.callsOf('worktree.remove')).toEqual([['w', {}]]);
  });

  it.each([
    ['reports a failure on the page if it was closed before', false],
    ['reports no failure that cancelling caused', true],
  ])('%s', async (_, isMaking) => {
    const page = createTestPage();
    const reply = Promise.withResolvers<ReturnType<typeof failed>>();
    page.answer('session.fork', reply.promise);
    const close = await render(page, <ForkDialog sessionId="s" turnId="t2" onClose={() => close()} />);
    await click(button('Fork session'));
    const { clientSessionId } = asked(page)[0] as { clientSessionId: string };
    const worktrees = isMaking ? [worktree({ state: 'creating', startedFor: clientSessionId })] : [];
    await act(async () => void page.workbench.worktrees.hear({ type: 'worktree:changed', worktrees }));
    await click(button('Cancel'));
    await act(async () => reply.resolve(failed('The disk is full.')));
    const reported = { what: "Couldn't fork the session.", why: 'The disk is full.' };
    expect(page.workbench.failures.get()).toEqual(isMaking ? null : reported);
  });

  it('WT-2: uses the worktree whose setup failed, once the user starts anyway', async () => {
    const details = { worktreeId: 'w' };
    const page = await show({ ok: false, failure: { code: 'SESSION_CREATE_FAILED', message: 'It failed.', details } });
    const setup = { command: 'npm ci', output: 'no luck', exitCode: 3, running: false };
    page.answer('worktree.read', { ok: true, value: worktree({ state: 'failed', setup }) });
    await click(button('Fork session'));
    expect(pageText()).toContain('It failed.');
    expect(one('.worktree-setup pre').textContent).toBe('no luck');
    page.answer('session.fork', copy);
    await click(button('Start anyway'));
    expect(asked(page).at(-1)).toMatchObject({ place: { kind: 'worktree', worktreeId: 'w' } });
  });

  it('asks before it uses untrusted agent settings', async () => {
    const message = '"release" has different agent settings from the folder you trust: .mcp.json.';
    const details = { files: ['.mcp.json'], confirm: 'trustConfiguration' };
    const page = await show({ ok: false, failure: { code: 'PROJECT_NOT_TRUSTED', message, details } });
    await click(button('Fork session'));
    expect(pageText()).toContain(message);
    page.answer('session.fork', copy);
    await click(button('Trust these settings and fork'));
    expect(asked(page).at(-1)).toMatchObject({ place: { trustConfiguration: true } });
  });
});
