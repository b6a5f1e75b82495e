import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { setStage } from './support/stage.ts';
import { startDemo } from './support/start-demo.ts';

const stage = setStage();

it('CP-2 CP-3 CP-4: with the demo agent, forks a turn, rewinds it with its files, and undoes the rewind', async () => {
  const { page, faults } = await stage.browser.visitor();
  await startDemo(page, stage.ready);
  const file = join(stage.dataDir, 'demo-project', 'src', 'greeting.js');
  const before = readFileSync(file, 'utf8');
  const say = async (text: string): Promise<void> => {
    await page.locator('#composer-input').fill(text);
    await page.locator('#composer-input').press('Enter');
  };
  await say('hello');
  await page.locator('.turn-end-line').first().waitFor();
  await say('edit the greeting');
  await page
    .getByRole('button', { name: /^Allow/ })
    .first()
    .click();
  await expect.poll(() => page.locator('.turn-end-line').count()).toBe(2);
  await expect.poll(() => readFileSync(file, 'utf8')).not.toBe(before);
  const after = readFileSync(file, 'utf8');

  const message = page.locator('.user-text').last();
  await message.hover();
  await page.getByRole('button', { name: 'Rewind to before this message' }).last().click();
  await page.getByRole('heading', { name: 'Restore 1 file' }).waitFor();
  expect(await page.locator('.rewind-file').innerText()).toMatch(/greeting\.js[^]*\+\d+ −\d+/);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Rewind', exact: true }).click();
  await page.getByRole('button', { name: 'Undo rewind' }).waitFor();
  expect(readFileSync(file, 'utf8')).toBe(before);
  await page.getByRole('button', { name: 'Undo rewind' }).click();
  await expect.poll(() => readFileSync(file, 'utf8')).toBe(after);
  await page.getByRole('button', { name: 'Undo rewind' }).waitFor({ state: 'hidden' });

  await page.getByRole('button', { name: 'Fork after this turn' }).last().press('Enter');
  await page.getByRole('menuitem', { name: 'Fork in this folder' }).click();
  await expect.poll(() => page.getByRole('tab').count()).toBe(2);
  await page.getByRole('button', { name: 'Fork after this turn' }).last().press('Enter');
  await page.getByRole('menuitem', { name: 'Fork in a new worktree…' }).click();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'New branch' }).fill('try-another');
  await page.getByRole('button', { name: 'Fork session' }).click();
  await expect.poll(() => page.getByRole('tab').count()).toBe(3);
  await expect.poll(() => page.locator('.place-line').innerText()).toContain('try-another');
  expect(faults).toEqual([]);
});
