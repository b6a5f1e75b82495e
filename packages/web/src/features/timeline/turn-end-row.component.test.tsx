import { describe, expect, it } from 'vitest';
import type { TurnTerminal } from '@liminal/contracts';
import { message, toolCall } from '@liminal/domain/timeline/testing/messages';
import { click } from '../../testing/events.ts';
import { button, buttonNames, one, pageText, texts } from '../../testing/queries.ts';
import { showRows } from './testing/rows.tsx';

const line = (): string[] => texts('.turn-end-line');
const part = (words: string): HTMLButtonElement => {
  const found = [...document.querySelectorAll<HTMLButtonElement>('.turn-end-part')].find((each) =>
    each.textContent.includes(words),
  );
  if (found === undefined) throw new Error(`No part with “${words}”`);
  return found;
};
const edit = toolCall('t1:1:0', {
  toolKind: 'edit',
  diffs: [{ path: '/work/repo/a.ts', oldText: 'one\n', newText: 'two\nthree\n' }],
});
const command = toolCall('t1:2:0', {
  toolKind: 'execute',
  toolArguments: { command: 'npm test' },
  toolOutput: '3 passed',
});
const usage = { inputTokens: 1000, outputTokens: 200, cacheReadInputTokens: 50_000 };

describe('the end of a turn', () => {
  it('summarises changes, commands and usage on one line', async () => {
    await showRows([edit, command], { durationMs: 3200, usage, costUsd: 0.04 });
    expect(line()).toEqual(['1 file changed +2 −1 · 1 command · 3.2 s · 1.2k tokens · $0.04']);
  });

  it('RV-9: shows what really changed in the folder, and opens the review of that turn', async () => {
    const changes = { files: 3, additions: 42, deletions: 7 };
    const page = await showRows([edit, command], { changes });
    expect(line()).toEqual(['3 files changed +42 −7 · 1 command']);
    await click(button('Review'));
    expect(page.workbench.reviews.isOpen('s')).toBe(true);
    expect(page.workbench.reviews.sought.get()?.place).toEqual({ scope: 'turn', turnId: 't1' });
  });

  it('RV-9: opens the review from the line if only commands changed files', async () => {
    const page = await showRows([command], { changes: { files: 1, additions: 1, deletions: 0 } });
    await click(part('1 file changed'));
    expect(page.workbench.reviews.isOpen('s')).toBe(true);
  });

  it('isn’t shown while the turn is running', async () => {
    await showRows([edit]);
    expect(line()).toEqual([]);
  });

  it('says so if nothing was changed or run', async () => {
    await showRows([message('t1:1:0')], {});
    expect(line()).toEqual(['Done']);
  });

  it('starts with the fact that it was stopped', async () => {
    await showRows([command], { status: 'cancelled' });
    expect(line()).toEqual(['Stopped · 1 command']);
  });

  it('expands one part at a time: the files with their changes, the commands, the usage', async () => {
    await showRows([edit, command], { usage, costUsd: 0.04 });
    await click(part('file'));
    expect(texts('.turn-details code')).toEqual(['a.ts']);
    await click(part('a.ts'));
    expect(texts('.turn-diffs .diff-text')).toEqual(['one', 'two', 'three']);

    await click(part('command'));
    expect(document.querySelector('.turn-diffs')).toBeNull();
    expect(texts('.turn-details .collapsible-target')).toEqual(['npm test']);

    await click(part('tokens'));
    expect(texts('.turn-details .collapsible-target')).toEqual([]);
    expect(texts('.turn-usage dd')).toEqual(['1,000', '50,000', '200', '$0.04']);

    await click(part('tokens'));
    expect(document.querySelector('.turn-details')).toBeNull();
  });

  it('doesn’t count refused or failed calls', async () => {
    await showRows([{ ...edit, status: 'error', refused: true }, message('t1:3:0')], {});
    expect(line()).toEqual(['Done']);
  });
});

describe('a failed turn', () => {
  const failed = (errorCode: string, errorMessage = 'It broke.'): Partial<TurnTerminal> => ({
    type: 'turn_error',
    errorCode,
    errorMessage,
  });
  const said = message('t1:0:0', { origin: 'user', content: 'Do it' });

  it('says what happened, with the agent’s name, and resends the message on a click', async () => {
    const page = await showRows([said], failed('PROCESS_CRASH'));
    expect(texts('.failure-title')[0]).toContain('Demo');
    expect(texts('.failure-message')).toEqual(['It broke.']);
    await click(button('Retry'));
    expect(page.callsOf('session.send')).toMatchObject([['s', { content: 'Do it' }]]);
  });

  it('doesn’t offer to resend without a message', async () => {
    await showRows([], failed('MODEL_ERROR'));
    expect(one('.failure')).toBeDefined();
    expect(buttonNames()).toEqual([]);
  });

  it('shows the sign-in command, ready to copy', async () => {
    await showRows([said], failed('AGENT_AUTH_REQUIRED', 'Run `demo login` first.'));
    expect(texts('.failure-message code')).toEqual(['demo login']);
    expect(texts('.failure-command pre')).toEqual(['demo login']);
    expect(buttonNames()).toContain('Copy command');
  });

  it('shows no command to copy for any other failure', async () => {
    await showRows([said], failed('MODEL_ERROR', 'Something about `x`.'));
    expect(document.querySelector('.failure-command')).toBeNull();
    expect(pageText()).toContain('Something about x.');
  });
});
