import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Desk } from './support/desk.ts';
import { type RealAgents, startRealAgents } from './support/real-agents.ts';

// What the real Claude Code asks, in real Chromium. The tests share one session: each
// goes on where the last one ended, in a page of its own.
let agents: RealAgents;
let desk: Desk;
beforeAll(async () => {
  agents = await startRealAgents();
});
beforeEach(async () => {
  desk = await agents.visit();
});
afterAll(() => agents.close());

const made = (file: string): boolean => existsSync(join(agents.projectDir, file));

it('PM-1 PM-3: a command is shown whole in every browser, with what "always" allows and where it is kept', async () => {
  await desk.start('Claude Code');
  await desk.say('@shell mkdir -p made && touch made/one.txt', '@text done');
  await desk.asked();
  expect(await desk.card.locator('pre').innerText()).toBe('mkdir -p made && touch made/one.txt');
  const always = desk.card.locator('.permission-hints p');
  expect(await always.first().innerText()).toMatch(/settings\.local\.json/);
  const second = await agents.visit();
  await second.tabs.first().click();
  await second.card.waitFor();

  expect(await desk.card.evaluate((card) => card === document.activeElement)).toBe(true);
  await desk.press('Enter');
  expect([await desk.card.isVisible(), made('made')]).toEqual([true, false]);
  await desk.press('1');
  await second.card.waitFor({ state: 'hidden' });
  await second.page.getByText(/Answered elsewhere: Allow once/).waitFor();
  await desk.ended(1);
  expect(made('made/one.txt')).toBe(true);
  await second.page.context().close();
});

it('PM-1: a change is shown with its lines; refused with a sentence, the model hears it and nothing changes', async () => {
  await desk.say('@write new.txt|first line', '@text done');
  await desk.asked();
  await desk.card.locator('.diff-line', { hasText: 'first line' }).waitFor();
  await desk.press('Escape');
  await desk.card.getByRole('textbox').fill('Call it old.txt instead');
  await desk.press('Enter');
  await desk.ended(2);
  expect(agents.heard()).toMatch(/tool_result[^}]*Call it old\.txt instead/);
  expect(made('new.txt')).toBe(false);

  const refused = () => desk.log.getByText('refused', { exact: true });
  await refused().waitFor();
  await desk.page.reload();
  await refused().waitFor();
  expect(await desk.log.getByText('failed', { exact: true }).count()).toBe(0);
});

it('PM-1: one of many, several of many and own words, and the answers reach the model', async () => {
  const options = (...labels: string[]) => labels.map((label) => ({ label, description: `the ${label}` }));
  const questions = [
    { question: 'Which colour?', header: 'Colour', multiSelect: false, options: options('Red', 'Blue') },
    { question: 'Which parts?', header: 'Parts', multiSelect: true, options: options('Head', 'Hand', 'Foot') },
    { question: 'Which name?', header: 'Name', multiSelect: false, options: options('Ada', 'Bob') },
  ];
  await desk.say(`@tool AskUserQuestion ${JSON.stringify({ questions })}`, '@text done');
  await desk.asked();
  await desk.card.getByLabel(/Blue/).check();
  await desk.card.getByLabel(/Head/).check();
  await desk.card.getByLabel(/Foot/).check();
  await desk.card.getByLabel('Your own answer: Which name?').fill('Grace');
  await desk.press('Enter');
  await desk.ended(3);
  const heard = agents.heard();
  for (const words of ['Which colour?', 'Blue', 'Head', 'Foot', 'Grace'])
    expect(heard).toMatch(new RegExp(`tool_result[^}]*${words.replace('?', '\\?')}`));

  // In the timeline they are question and answer, not what Claude Code tells its model of them.
  await desk.log.getByText('Which colour? and 2 more').click();
  const asked = desk.log.locator('.asked-questions > div');
  expect(await asked.allInnerTexts()).toEqual([
    'Which colour?\nBlue',
    'Which parts?\nHead, Foot',
    'Which name?\nGrace',
  ]);
  expect(await desk.log.getByText(/have been answered/).count()).toBe(0);
});

it('PM-1: a single question is answered by number and Enter; Escape declines it', async () => {
  await desk.say('@ask Which way?|Left|Right', '@text done');
  await desk.asked();
  await desk.press('2');
  await desk.press('Enter');
  await desk.ended(4);
  expect(agents.heard()).toMatch(/tool_result[^}]*Right/);
  await desk.say('@ask Which day?|Monday|Tuesday', '@text done');
  await desk.asked();
  await desk.press('Escape');
  await desk.ended(5);
  expect(agents.heard()).not.toMatch(/tool_result[^}]*Tuesday/);
});

it('PM-1 MM-5: a plan is shown as text and approved, and the mode follows', async () => {
  const mode = desk.picker('Mode');
  await mode.selectOption('plan');
  await desk.say('@exitplan # The plan\\n\\n1. Mend the sum', '@text done');
  await desk.asked();
  await desk.card.getByRole('heading', { name: 'The plan' }).waitFor();
  await desk.card.getByText('Mend the sum').waitFor();

  await desk.card.getByRole('button', { name: /edits/i }).click();
  await desk.ended(6);
  await expect.poll(() => mode.inputValue()).toBe('acceptEdits');
  await desk.say('@write unasked.txt|by the mode', '@text done');
  await desk.ended(7);
  expect(readFileSync(join(agents.projectDir, 'unasked.txt'), 'utf8')).toContain('by the mode');
});

it('PM-2: a request survives a killed server only as a line of the record', async () => {
  await desk.picker('Mode').selectOption('default');
  await desk.say('@shell touch never && rm never', '@text done');
  await desk.asked();
  await agents.restart('SIGKILL');
  await desk.card.waitFor({ state: 'hidden' });
  await desk.ended(8);
  expect(made('never')).toBe(false);
});

it('PM-1: a file that is there is asked about as what changes in it, with its line numbers', async () => {
  const file = join(agents.projectDir, 'long.txt');
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
  writeFileSync(file, `${lines.join('\n')}\n`);
  const content = `${lines.with(24, 'another').join('\n')}\n`;
  await desk.say(
    `@tool Read ${JSON.stringify({ file_path: file })}`,
    `@tool Write ${JSON.stringify({ file_path: file, content })}`,
    `@tool Edit ${JSON.stringify({ file_path: file, old_string: 'line 10', new_string: 'ten' })}`,
    '@text done',
  );
  await desk.asked();
  const shown = desk.card.locator('.diff-line');
  const numbers = ['22', '23', '24', '', '25', '26', '27', '28'];
  expect(await shown.locator('.diff-number-new').allInnerTexts()).toEqual(numbers);
  expect(await desk.card.locator('.permission-head').innerText()).toMatch(/\+1\s*−1/);
  await desk.press('1');
  await desk.card.locator('.diff-line', { hasText: 'ten' }).waitFor();
  await desk.asked();
  expect(await shown.locator('.diff-number').first().innerText()).toBe('7');
  await desk.press('1');
  await desk.ended(9);

  const changes = await desk.details('Changes');
  await changes.getByRole('button', { name: /long\.txt/ }).click();
  expect(await changes.locator('.diff-number').first().innerText()).toBe('22');
});

it('PM-4: every decision is listed, with what was said and what nobody answered', async () => {
  const panel = await desk.details('Decisions');
  const lines = panel.getByRole('list', { name: 'Decisions' }).getByRole('listitem');
  await expect.poll(() => lines.count()).toBe(9);
  const [, , stopped, plan, declined, , , refused, once] = await lines.allInnerTexts();
  expect(stopped).toMatch(/Not answered[^]*Liminal Builder stopped before it was answered\./);
  expect(plan).toMatch(/edits/i);
  expect(declined).toContain('Which day?');
  expect(refused).toMatch(/Reject by you[^]*Call it old\.txt instead/);
  expect(once).toContain('Allow once by you');
});
