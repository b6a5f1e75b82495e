import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { SessionPage } from './support/session-page.ts';
import { type RealAgents, startRealAgents } from './support/real-agents.ts';

// The permission requests of the real Codex, in real Chromium. The tests share one session: each continues where the
// last one ended, in its own page.
let agents: RealAgents;
let sessions: SessionPage;
beforeAll(async () => {
  agents = await startRealAgents({ codexMode: 'read-only' });
});
beforeEach(async () => {
  sessions = await agents.visit();
});
afterAll(() => agents.close());

const made = (file: string): boolean => existsSync(join(agents.projectDir, file));

it('PM-1 PM-3: a command is shown in full, with Codex’s own options and where "always" is stored', async () => {
  await sessions.start('Codex');
  await sessions.say('@shell! touch made-once', '@text done');
  await sessions.asked();
  expect(await sessions.card.locator('pre').innerText()).toBe('touch made-once');
  expect(await sessions.card.getByRole('button').allInnerTexts()).toEqual([
    'Yes, proceed\n1',
    "Yes, and don't ask again for commands that start with `touch made-once`\n2",
    'No, continue without it\n3',
    'No, and tell Codex what to do differently\n4',
  ]);
  await sessions.card.getByText("Applies to every project. Stored in Codex's rules/default.rules.").waitFor();
  await sessions.card.getByText('This ends the turn.').waitFor();
  expect(await sessions.card.evaluate((card) => card === document.activeElement)).toBe(true);
  await sessions.press('Enter');
  expect([await sessions.card.isVisible(), made('made-once')]).toEqual([true, false]);
  await sessions.press('1');
  await sessions.ended(1);
  expect(made('made-once')).toBe(true);
});

it('PM-3: "always" is stored where it says, and the same request doesn’t come again', async () => {
  await sessions.say('@shell! touch made-always', '@text done');
  await sessions.asked();
  await sessions.press('2');
  await sessions.ended(2);
  expect(readFileSync(join(agents.codexHome, 'rules/default.rules'), 'utf8')).toContain('"made-always"');
  await sessions.say('@shell! touch made-always', '@text done');
  await sessions.ended(3);
});

it('PM-1: a change is shown line by line; refusing with a reason reaches Codex and changes nothing', async () => {
  await sessions.say('@patch new.txt|first line', '@text patched');
  await sessions.asked();
  await sessions.card.locator('.diff-line', { hasText: 'first line' }).waitFor();
  await sessions.card.getByText('For this session only.').waitFor();
  await sessions.press('Escape');
  await sessions.card.getByRole('textbox').fill('Call it old.txt instead');
  await sessions.press('Enter');
  // Codex continues without it; the reason is the next message.
  await sessions.ended(5);
  await sessions.log.getByText('You said: Call it old.txt instead').waitFor();
  expect(agents.heard()).toContain('Call it old.txt instead');
  expect(made('new.txt')).toBe(false);
});

it('PM-1: a refused call is shown as refused, even after a reload', async () => {
  const refused = () => sessions.log.getByText('refused', { exact: true });
  await refused().waitFor();
  await sessions.page.reload();
  await sessions.ended(5);
  await expect.poll(() => refused().count()).toBe(1);
  expect(await sessions.log.getByText('failed', { exact: true }).count()).toBe(0);
});

it('PM-1: a form is shown as a question, answered by number or free text, and the answer reaches Codex', async () => {
  await sessions.composer.fill('/pla');
  await sessions.page.getByRole('option', { name: /plan/ }).first().click();
  await sessions.composer.press('Enter');
  await sessions.ended(6);
  await sessions.say('@ask Which colour?|Red|Blue', '@text finished');
  await sessions.asked();
  await sessions.press('2');
  expect(await sessions.card.getByLabel(/Blue/).isChecked()).toBe(true);
  await sessions.press('Enter');
  await sessions.ended(7);
  expect(agents.heard()).toMatch(/function_call_output[^}]*Blue/);

  await sessions.say('@ask Which size?|Small|Large', '@text finished');
  await sessions.asked();
  await sessions.card.getByPlaceholder('Your own answer').fill('Middling');
  await sessions.press('Enter');
  await sessions.ended(8);
  expect(agents.heard()).toContain('Middling');
});

it('PM-2: a request ends with its turn in every browser and can no longer be clicked', async () => {
  const second = await agents.visit();
  await sessions.say('@shell! touch never', '@text done');
  await sessions.asked();
  await second.tabs.first().click();
  await second.card.waitFor();
  await sessions.page.getByRole('button', { name: /^Stop/ }).click();
  for (const each of [sessions, second]) {
    await each.card.waitFor({ state: 'hidden' });
    await each.page.getByText(/Request closed/).waitFor();
  }
  expect(made('never')).toBe(false);
});

it('PM-4: every decision is listed', async () => {
  const panel = await sessions.details('Decisions');
  const lines = panel.getByRole('list', { name: 'Decisions' }).getByRole('listitem');
  await expect.poll(() => lines.count()).toBe(6);
  const [ended, middling, blue, refused, always, once] = await lines.allInnerTexts();
  expect(ended).toContain('Not answered');
  expect([middling, blue].every((line) => line?.includes('Send'))).toBe(true);
  expect(refused).toMatch(/continue without it by you[^]*Call it old\.txt instead/);
  expect(always).toContain("don't ask again");
  expect(once).toContain('Yes, proceed');
});
