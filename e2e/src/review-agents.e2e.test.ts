import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reviewMessage } from '@liminal/domain/review/review-message';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RealAgents, startRealAgents } from './support/real-agents.ts';
import type { SessionPage } from './support/session-page.ts';

// A user reviews a real agent's changes in a real repository, in real Chromium.
let agents: RealAgents;
beforeAll(async () => {
  agents = await startRealAgents();
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.com');
  writeFileSync(join(agents.projectDir, 'readme.md'), 'first\n');
  git('add', '-A');
  git('commit', '-qm', 'Begin');
});
afterAll(() => agents.close());

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: agents.projectDir, encoding: 'utf8' }).trim();

async function comment(sessions: SessionPage, text: string): Promise<void> {
  const { page } = sessions;
  await page.locator('.review-editor textarea').fill(text);
  await page.keyboard.press('Control+Enter');
  await page.locator('.review-comment', { hasText: text.split('\n')[0] ?? '' }).waitFor();
}

it.each([
  ['Claude Code', 'claude.ts', 'acceptEdits'],
  ['Codex', 'codex.ts', null],
])(
  'RV-3 RV-4 RV-5 RV-6 RV-9: reviews %s’s changes, sends comments back, and commits the result',
  async (agent, file, mode) => {
    const sessions = await agents.visit();
    const { page } = sessions;
    const review = page.getByRole('region', { name: 'Review' });
    await sessions.start(agent);
    if (mode !== null) await sessions.picker('Mode').selectOption(mode);
    await sessions.say(
      `@write ${file}|export const one = 1;\\nexport const two = 2;\\nexport const three = 3;`,
      '@text done',
    );
    await sessions.ended(1);

    // The end of the turn links to its changes.
    await sessions.log.getByText(/1 file changed \+3/).waitFor();
    await sessions.log.getByRole('button', { name: 'Review', exact: true }).click();
    await review.locator('.diff-line', { hasText: 'two' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('c');
    await comment(sessions, 'Give it a better name.');
    await review.getByRole('button', { name: 'Select line 3', exact: true }).click();
    await review.getByRole('button', { name: /^Comment/ }).click();
    const fix = `Count from zero.\n@edit ${file}|export const three = 3;|export const three = 0;`;
    await comment(sessions, fix);

    // The server stores drafts, so they survive a reload.
    await page.reload();
    await review.getByText('2 comments', { exact: true }).waitFor();
    await review.getByRole('textbox', { name: /^Note to/ }).fill('Two things.');
    await review.getByRole('button', { name: /^Send review/ }).click();
    await sessions.ended(2);
    const quoted = (line: number, quote: string, text: string) =>
      ({ path: file, side: 'new', startLine: line, endLine: line, quote, text, outdated: false }) as const;
    const message = reviewMessage(
      [quoted(1, 'export const one = 1;', 'Give it a better name.'), quoted(3, 'export const three = 3;', fix)],
      'Two things.',
    );
    expect(agents.heard()).toContain(JSON.stringify(message).slice(1, -1));

    // The agent's changes appear without a reload; one comment has lost its line, the other is resolved.
    await review.locator('.review-comment', { hasText: 'Outdated' }).getByText('Count from zero.').waitFor();
    const first = review.locator('.review-comment', { hasText: 'Give it a better name.' });
    await first.getByRole('button', { name: 'Resolve', exact: true }).click();
    await first.getByText('Resolved', { exact: true }).waitFor();

    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Message' }).fill(`Count in ${file}`);
    await dialog.getByRole('button', { name: 'Commit', exact: true }).click();
    await review.getByText(/^Committed/).waitFor();
    expect(git('log', '-1', '--format=%s')).toBe(`Count in ${file}`);
    expect(git('show', `HEAD:${file}`)).toContain('three = 0');

    // The sent review is a card that links back to the line.
    await page.keyboard.press('Alt+KeyR');
    await sessions.log
      .locator('.review-card')
      .getByRole('button', { name: `${file}:1`, exact: true })
      .click();
    await review.locator('.diff-chosen', { hasText: 'one' }).waitFor();
  },
);

it('RV-6: stages a hunk and restores a discarded change', async () => {
  writeFileSync(join(agents.projectDir, 'readme.md'), 'first\nsecond\n');
  const sessions = await agents.visit();
  const { page } = sessions;
  const review = page.getByRole('region', { name: 'Review' });
  // The page opens with the review that the last one showed.
  await review.getByRole('button', { name: 'Uncommitted', exact: true }).click();
  await review.getByRole('button', { name: 'Stage hunk', exact: true }).click();
  await review.getByText('Staged a hunk.', { exact: true }).waitFor();
  expect(git('diff', '--cached', '--name-only')).toBe('readme.md');
  await review.getByRole('button', { name: 'Discard…', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes', exact: true }).click();
  await review.getByRole('button', { name: 'Undo', exact: true }).click();
  await review.getByText('Restored 1 file.', { exact: true }).waitFor();
  await review.locator('.diff-line.diff-added', { hasText: 'second' }).waitFor();
  expect(git('diff', 'HEAD', '--name-only')).toBe('readme.md');
});
