import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { SessionPage } from './support/session-page.ts';
import { type RealAgents, startRealAgents } from './support/real-agents.ts';

// The permission requests of the real Claude Code, in real Chromium. The tests share one session: each continues where
// the last one ended, in its own page.
let agents: RealAgents;
let sessions: SessionPage;
beforeAll(async () => {
  agents = await startRealAgents();
});
beforeEach(async () => {
  sessions = await agents.visit();
});
afterAll(() => agents.close());

const made = (file: string): boolean => existsSync(join(agents.projectDir, file));

it('PM-1 PM-3: a command is shown in full in every browser, with what "always" allows and where that is stored', async () => {
  await sessions.start('Claude Code');
  await sessions.say('@shell mkdir -p made && touch made/one.txt', '@text done');
  await sessions.asked();
  expect(await sessions.card.locator('pre').innerText()).toBe('mkdir -p made && touch made/one.txt');
  const always = sessions.card.locator('.permission-hints p');
  expect(await always.first().innerText()).toMatch(/settings\.local\.json/);
  const second = await agents.visit();
  await second.tabs.first().click();
  await second.card.waitFor();

  expect(await sessions.card.evaluate((card) => card === document.activeElement)).toBe(true);
  await sessions.press('Enter');
  expect([await sessions.card.isVisible(), made('made')]).toEqual([true, false]);
  await sessions.press('1');
  await second.card.waitFor({ state: 'hidden' });
  await second.page.getByText(/Answered elsewhere: Allow once/).waitFor();
  await sessions.ended(1);
  expect(made('made/one.txt')).toBe(true);
  await second.page.context().close();
});

it('PM-1: a change is shown line by line; refusing with a reason reaches the model and changes nothing', async () => {
  await sessions.say('@write new.txt|first line', '@text done');
  await sessions.asked();
  await sessions.card.locator('.diff-line', { hasText: 'first line' }).waitFor();
  await sessions.press('Escape');
  await sessions.card.getByRole('textbox').fill('Call it old.txt instead');
  await sessions.press('Enter');
  await sessions.ended(2);
  expect(agents.heard()).toMatch(/tool_result[^}]*Call it old\.txt instead/);
  expect(made('new.txt')).toBe(false);

  const refused = () => sessions.log.getByText('refused', { exact: true });
  await refused().waitFor();
  await sessions.page.reload();
  await refused().waitFor();
  expect(await sessions.log.getByText('failed', { exact: true }).count()).toBe(0);
});

it('PM-1: single choices, multiple choices and free text reach the model', async () => {
  const options = (...labels: string[]) => labels.map((label) => ({ label, description: `the ${label}` }));
  const questions = [
    { question: 'Which colour?', header: 'Colour', multiSelect: false, options: options('Red', 'Blue') },
    { question: 'Which parts?', header: 'Parts', multiSelect: true, options: options('Head', 'Hand', 'Foot') },
    { question: 'Which name?', header: 'Name', multiSelect: false, options: options('Ada', 'Bob') },
  ];
  await sessions.say(`@tool AskUserQuestion ${JSON.stringify({ questions })}`, '@text done');
  await sessions.asked();
  await sessions.card.getByLabel(/Blue/).check();
  await sessions.card.getByLabel(/Head/).check();
  await sessions.card.getByLabel(/Foot/).check();
  await sessions.card.getByLabel('Your own answer: Which name?').fill('Grace');
  await sessions.press('Enter');
  await sessions.ended(3);
  const heard = agents.heard();
  for (const words of ['Which colour?', 'Blue', 'Head', 'Foot', 'Grace'])
    expect(heard).toMatch(new RegExp(`tool_result[^}]*${words.replace('?', '\\?')}`));

  // The timeline shows questions and answers, not what Claude Code sends its model about them.
  await sessions.log.getByText('Which colour? and 2 more').click();
  const asked = sessions.log.locator('.asked-questions > div');
  expect(await asked.allInnerTexts()).toEqual([
    'Which colour?\nBlue',
    'Which parts?\nHead, Foot',
    'Which name?\nGrace',
  ]);
  expect(await sessions.log.getByText(/have been answered/).count()).toBe(0);
});

it('PM-1: a single question is answered by number and Enter; Escape declines it', async () => {
  await sessions.say('@ask Which way?|Left|Right', '@text done');
  await sessions.asked();
  await sessions.press('2');
  await sessions.press('Enter');
  await sessions.ended(4);
  expect(agents.heard()).toMatch(/tool_result[^}]*Right/);
  await sessions.say('@ask Which day?|Monday|Tuesday', '@text done');
  await sessions.asked();
  await sessions.press('Escape');
  await sessions.ended(5);
  expect(agents.heard()).not.toMatch(/tool_result[^}]*Tuesday/);
});

it('PM-1 MM-5: a plan is shown as text and approved, and the mode follows', async () => {
  const mode = sessions.picker('Mode');
  await mode.selectOption('plan');
  await sessions.say('@exitplan # The plan\\n\\n1. Mend the sum', '@text done');
  await sessions.asked();
  await sessions.card.getByRole('heading', { name: 'The plan' }).waitFor();
  await sessions.card.getByText('Mend the sum').waitFor();

  await sessions.card.getByRole('button', { name: /edits/i }).click();
  await sessions.ended(6);
  await expect.poll(() => mode.inputValue()).toBe('acceptEdits');
  await sessions.say('@write unasked.txt|by the mode', '@text done');
  await sessions.ended(7);
  expect(readFileSync(join(agents.projectDir, 'unasked.txt'), 'utf8')).toContain('by the mode');
});

it('PM-2: after the server was killed, a request remains only in the audit log', async () => {
  await sessions.picker('Mode').selectOption('default');
  await sessions.say('@shell touch never && rm never', '@text done');
  await sessions.asked();
  await agents.restart('SIGKILL');
  await sessions.card.waitFor({ state: 'hidden' });
  await sessions.ended(8);
  expect(made('never')).toBe(false);
});

it('PM-1: a request to write to an existing file shows a diff with line numbers', async () => {
  const file = join(agents.projectDir, 'long.txt');
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  const content = `${lines.with(24, 'another').join('\n')}\n`;
  await sessions.say(
    `@tool Read ${JSON.stringify({ file_path: file })}`,
    `@tool Write ${JSON.stringify({ file_path: file, content })}`,
    `@tool Edit ${JSON.stringify({ file_path: file, old_string: 'line 10', new_string: 'ten' })}`,
    '@text done',
  );
  await sessions.asked();
  const shown = sessions.card.locator('.diff-line');
  const numbers = ['22', '23', '24', '', '25', '26', '27', '28'];
  expect(await shown.locator('.diff-number-new').allInnerTexts()).toEqual(numbers);
  expect(await sessions.card.locator('.permission-head').innerText()).toMatch(/\+1\s*−1/);
  await sessions.press('1');
  await sessions.card.locator('.diff-line', { hasText: 'ten' }).waitFor();
  await sessions.asked();
  expect(await shown.locator('.diff-number').first().innerText()).toBe('7');
  await sessions.press('1');
  await sessions.ended(9);

  const changes = await sessions.details('Changes');
  await changes.getByRole('button', { name: /long\.txt/ }).click();
  const review = sessions.page.getByRole('region', { name: 'Review' });
  await review.locator('.diff-line.diff-added', { hasText: '25+another' }).waitFor();
});

it('PM-4: every decision is listed with its reason, and so are unanswered requests', async () => {
  const panel = await sessions.details('Decisions');
  const lines = panel.getByRole('list', { name: 'Decisions' }).getByRole('listitem');
  await expect.poll(() => lines.count()).toBe(9);
  const [, , stopped, plan, declined, , , refused, once] = await lines.allInnerTexts();
  expect(stopped).toMatch(/Not answered[^]*Liminal Builder stopped before it was answered\./);
  expect(plan).toMatch(/edits/i);
  expect(declined).toContain('Which day?');
  expect(refused).toMatch(/Reject by you[^]*Call it old\.txt instead/);
  expect(once).toContain('Allow once by you');
});
