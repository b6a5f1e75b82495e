import { expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { setStage } from './support/stage.ts';
import { startDemo } from './support/start-demo.ts';

const stage = setStage();

it('CM-1 CM-2 CM-3: compares two demo agents on one task, and keeps one of them', async () => {
  const { page, faults } = await stage.browser.visitor();
  await startDemo(page, stage.ready);
  await page.locator('#composer-input').press('Alt+n');
  await page.getByLabel('Compare several agents or models').check();
  for (const place of [1, 2]) await page.getByLabel(`Agent ${place}`).selectOption('demo');
  await page.getByLabel('First message').fill('edit the greeting');
  await page.getByRole('button', { name: /^Start comparison/ }).click();

  const comparison = page.getByRole('region', { name: 'Comparison' });
  const columns = comparison.locator('.compare-column');
  for (const place of [0, 1])
    await columns
      .nth(place)
      .getByRole('button', { name: /^Allow/ })
      .first()
      .click();
  const rows = comparison.locator('tbody tr');
  for (const place of [0, 1]) await rows.nth(place).getByText('Done', { exact: true }).waitFor();
  await comparison.locator('.compare-file').click();
  await comparison.locator('.compare-patch').nth(1).waitFor();
  expect(await violations(page)).toEqual([]);

  await page.setViewportSize({ width: 380, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(380);
  await comparison.getByRole('button', { name: /^Keep .*\(1\)$/ }).press('Enter');
  await comparison.getByText(/is kept/).waitFor();
  await comparison.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect.poll(() => comparison.getByText(/is kept/).count()).toBe(0);
  expect(faults).toEqual([]);
});
