import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Desk } from './support/desk.ts';
import { type RealAgents, startRealAgents } from './support/real-agents.ts';

// What the real Codex asks, in real Chromium. The tests share one session: each
// goes on where the last one ended, in a page of its own.
let agents: RealAgents;
let desk: Desk;
beforeAll(async () => {
  agents = await startRealAgents({ codexMode: 'read-only' });
});
beforeEach(async () => {
  desk = await agents.visit();
});
afterAll(() => agents.close());

const made = (file: string): boolean => existsSync(join(agents.projectDir, file));

it('PM-1 PM-3: a command is shown whole, with Codex’s own answers and where "always" is kept', async () => {
  await desk.start('Codex');
  await desk.say('@shell! touch made-once', '@text done');
  await desk.asked();
  expect(await desk.card.locator('pre').innerText()).toBe('touch made-once');
  expect(await desk.card.getByRole('button').allInnerTexts()).toEqual([
    'Yes, proceed\n1',
    "Yes, and don't ask again for commands that start with `touch made-once`\n2",
    'No, and go on without it\n3',
    'No, and tell Codex what to do differently\n4',
  ]);
  await desk.card.getByText("Applies to every project. Stored in Codex's rules/default.rules.").waitFor();
  await desk.card.getByText('This ends the turn.').waitFor();
  expect(await desk.card.evaluate((card) => card === document.activeElement)).toBe(true);
  await desk.press('Enter');
  expect([await desk.card.isVisible(), made('made-once')]).toEqual([true, false]);
  await desk.press('1');
  await desk.ended(1);
  expect(made('made-once')).toBe(true);
});

it('PM-3: "always" is kept where it says, and the same is not asked again', async () => {
  await desk.say('@shell! touch made-always', '@text done');
  await desk.asked();
  await desk.press('2');
  await desk.ended(2);
  expect(readFileSync(join(agents.codexHome, 'rules/default.rules'), 'utf8')).toContain('"made-always"');
  await desk.say('@shell! touch made-always', '@text done');
  await desk.ended(3);
});

it('PM-1: a change is shown with its lines; refused with a sentence, Codex hears it and changes nothing', async () => {
  await desk.say('@patch new.txt|first line', '@text patched');
  await desk.asked();
  await desk.card.locator('.diff-line', { hasText: 'first line' }).waitFor();
  await desk.card.getByText('For this session only.').waitFor();
  await desk.press('Escape');
  await desk.card.getByRole('textbox').fill('Call it old.txt instead');
  await desk.press('Enter');
  // Codex goes on without it; the sentence is the next message.
  await desk.ended(5);
  await desk.log.getByText('You said: Call it old.txt instead').waitFor();
  expect(agents.heard()).toContain('Call it old.txt instead');
  expect(made('new.txt')).toBe(false);
});

it('PM-1: what was refused is called refused, also after a reload', async () => {
  const refused = () => desk.log.getByText('refused', { exact: true });
  await refused().waitFor();
  await desk.page.reload();
  await desk.ended(5);
  expect(await refused().count()).toBe(1);
  expect(await desk.log.getByText('failed', { exact: true }).count()).toBe(0);
});

it('PM-1: a form is asked as a question, answered by number or in own words, and the answer reaches Codex', async () => {
  await desk.composer.fill('/pla');
  await desk.page.getByRole('option', { name: /plan/ }).first().click();
  await desk.composer.press('Enter');
  await desk.ended(6);
  await desk.say('@ask Which colour?|Red|Blue', '@text finished');
  await desk.asked();
  await desk.press('2');
  expect(await desk.card.getByLabel(/Blue/).isChecked()).toBe(true);
  await desk.press('Enter');
  await desk.ended(7);
  expect(agents.heard()).toMatch(/function_call_output[^}]*Blue/);

  await desk.say('@ask Which size?|Small|Large', '@text finished');
  await desk.asked();
  await desk.card.getByPlaceholder('Your own answer').fill('Middling');
  await desk.press('Enter');
  await desk.ended(8);
  expect(agents.heard()).toContain('Middling');
});

it('PM-2: a request ends with its turn, in every browser, and is not left to be clicked', async () => {
  const second = await agents.visit();
  await desk.say('@shell! touch never', '@text done');
  await desk.asked();
  await second.tabs.first().click();
  await second.card.waitFor();
  await desk.page.getByRole('button', { name: /^Stop/ }).click();
  for (const each of [desk, second]) {
    await each.card.waitFor({ state: 'hidden' });
    await each.page.getByText(/Request closed/).waitFor();
  }
  expect(made('never')).toBe(false);
});

it('PM-4: every decision is listed', async () => {
  const panel = await desk.details('Decisions');
  const lines = panel.getByRole('list', { name: 'Decisions' }).getByRole('listitem');
  await expect.poll(() => lines.count()).toBe(6);
  const [ended, middling, blue, refused, always, once] = await lines.allInnerTexts();
  expect(ended).toContain('Not answered');
  expect([middling, blue].every((line) => line?.includes('Send'))).toBe(true);
  expect(refused).toMatch(/go on without it by you[^]*Call it old\.txt instead/);
  expect(always).toContain("don't ask again");
  expect(once).toContain('Yes, proceed');
});
