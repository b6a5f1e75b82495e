import { act } from 'react';
import { describe, expect, it } from 'vitest';
import type { TerminalSummary } from '@liminal/contracts';
import { personsItemId } from '@liminal/domain/items/item-id';
import { message } from '@liminal/domain/timeline/testing/messages';
import { click } from '../../testing/events.ts';
import { failed } from '../../testing/fake-api.ts';
import { button, buttonNames, pageText } from '../../testing/queries.ts';
import { render } from '../../testing/render.tsx';
import { sessionSummary as summary } from '@liminal/domain/session/testing/session-summary';
import { createTestPage, type TestPage } from '../../testing/test-page.ts';
import { Failure } from './failure.tsx';

const error = { code: 'AGENT_AUTH_REQUIRED', message: "Demo isn't signed in." };
const asked = message(personsItemId('t1'), { origin: 'user', content: 'Fix the tests' });

async function showFailure(canSignIn: boolean, said = asked): Promise<TestPage> {
  const page = createTestPage({ entries: [said] });
  await page.list([summary()]);
  await act(async () =>
    page.workbench.directory.update((held) => ({
      ...held,
      providers: held.providers.map((each) => ({ ...each, signIn: canSignIn })),
    })),
  );
  page.answer('terminal.signIn', { ok: true, value: { terminalId: 'x' } });
  await render(page, <Failure turnId="t1" error={error} />);
  return page;
}
const signInTerminal = (part: Partial<TerminalSummary>): TerminalSummary => ({
  terminalId: 'x',
  kind: 'sign-in',
  projectId: null,
  cliType: 'demo',
  title: 'Sign in to Demo',
  folder: '/data/sign-in',
  createdAt: '2026-01-01T00:00:00.000Z',
  cols: 80,
  rows: 24,
  running: true,
  ...part,
});
const listed = (page: TestPage, terminal: TerminalSummary): Promise<void> =>
  act(async () => page.workbench.terminals.list.set([terminal]));

describe('TM-7: a turn that failed because nobody is signed in', () => {
  it('offers the agent’s own sign-in in a terminal, and to resend the message once it succeeded', async () => {
    const page = await showFailure(true);
    await click(button('Sign in'));
    expect(page.callsOf('terminal.signIn')).toEqual([['demo', {}]]);
    expect(page.workbench.terminals.isShown.get()).toBe(true);
    await listed(page, signInTerminal({}));
    expect(buttonNames()).toContain('Show sign-in');
    await listed(page, signInTerminal({ running: false, exitCode: 0 }));
    expect(buttonNames()).not.toContain('Sign in');
    expect(pageText()).toContain("You're signed in to Demo. Send your message again.");
    await click(button('Retry'));
    expect(page.callsOf('session.send')).toHaveLength(1);
  });

  it('offers it again after a failed sign-in', async () => {
    const page = await showFailure(true);
    await listed(page, signInTerminal({ running: false, exitCode: 1 }));
    expect(buttonNames()).toContain('Sign in');
  });

  it('offers no sign-in if the agent has no command for it', async () => {
    await showFailure(false);
    expect(buttonNames()).not.toContain('Sign in');
  });
});

describe('retrying a failed turn', () => {
  const images = [{ mimeType: 'image/png' as const, data: 'AAAA', name: 'shot.png' }];
  const attachments = [{ mimeType: 'image/png', name: 'shot.png', size: 3 }];

  it('sends its message with the images and mentions', async () => {
    const said = { content: 'Look at @src/a.ts', images, mentions: ['src/a.ts'] };
    const page = await showFailure(false, { ...asked, content: said.content, attachments });
    page.answer('session.sentMessage', { ok: true, value: said });
    await click(button('Retry'));
    expect(page.callsOf('session.sentMessage')).toEqual([['s', 't1']]);
    expect(page.callsOf('session.send')).toMatchObject([['s', said]]);
  });

  it('sends it once on a double-click', async () => {
    const page = await showFailure(false);
    await click(button('Retry'));
    await click(button('Retry'));
    expect(page.callsOf('session.send')).toHaveLength(1);
  });

  it('is possible if the message has only images', async () => {
    const page = await showFailure(false, { ...asked, content: '', attachments });
    page.answer('session.sentMessage', { ok: true, value: { content: '', images, mentions: [] } });
    await click(button('Retry'));
    expect(page.callsOf('session.send')).toMatchObject([['s', { content: '', images }]]);
  });

  it('sends nothing if the images can’t be read, and says why', async () => {
    const page = await showFailure(false, { ...asked, attachments });
    page.answer('session.sentMessage', { ok: true, value: { content: asked.content, images: [], mentions: [] } });
    await click(button('Retry'));
    expect(page.workbench.failures.get()?.why).toBe('Its images are no longer stored.');
    page.answer('session.sentMessage', failed('The server is busy.'));
    await click(button('Retry'));
    expect(page.workbench.failures.get()?.why).toBe('The server is busy.');
    expect(page.callsOf('session.send')).toEqual([]);
  });
});
