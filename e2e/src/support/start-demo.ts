import type { Ready } from '@liminal/stand-ins/testing/start-program';
import type { Page } from 'playwright-core';

/** Opens the page and a new demo session in it, even if another browser has left its tabs open. */
export async function startDemo(page: Page, ready: Ready): Promise<void> {
  await page.goto(ready.url);
  const start = page.getByRole('button', { name: 'Try the demo' });
  await start.or(page.locator('#composer-input')).first().waitFor();
  if (!(await start.isVisible())) await page.getByText('Liminal Builder').first().click();
  await start.click();
  await page.getByText(/^What should .+ do in /).waitFor();
}
