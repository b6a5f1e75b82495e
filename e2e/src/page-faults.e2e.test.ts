import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { setStage } from './support/stage.ts';
import { startDemo } from './support/start-demo.ts';

const stage = setStage();

/** Checks that the page still works: a message is sent and answered. */
async function isAnswered(page: Page): Promise<void> {
  await page.locator('.composer-input').fill('Still there?');
  await page.locator('.composer-input').press('Enter');
  await page.getByRole('log').locator('.row-text').first().waitFor();
}

it('reports that storage is full, and keeps working', async () => {
  const { page: other, context, faults } = await stage.browser.visitor();
  await startDemo(other, stage.ready);
  await other.evaluate(() => {
    for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 2)) {
      try {
        for (let count = 0; count < 20; count += 1) localStorage.setItem(`filler-${size}-${count}`, 'x'.repeat(size));
      } catch {
        // Too large: try a smaller piece.
      }
    }
  });
  await other.locator('.composer-input').fill('words that find no room '.repeat(40));
  await other.getByText(/Browser storage is unavailable/).waitFor();
  await other.getByRole('button', { name: 'Dismiss' }).click();
  await isAnswered(other);
  expect(faults).toEqual([]);
  await context.close();
});

it('offers a reload if the server’s version changed, and works without storage', async () => {
  const { page: other, faults } = await stage.browser.visitor();
  await other.route('**/api/health', (route) => route.fulfill({ json: { ok: true, version: '99.0.0' } }));
  await other.addInitScript(() => {
    Object.defineProperty(globalThis, 'localStorage', {
      get() {
        throw new DOMException('denied', 'SecurityError');
      },
    });
  });
  await other.goto(stage.ready.url);
  await other.getByText(/The server runs version 99\.0\.0/).waitFor();
  await other.getByRole('button', { name: 'Reload page' }).waitFor();
  await other.unroute('**/api/health');
  await other.reload();
  await startDemo(other, stage.ready);
  await other.getByText(/Browser storage is unavailable/).waitFor();
  await other.getByRole('button', { name: 'Dismiss' }).click();
  await isAnswered(other);
  expect(faults).toEqual([]);
});
