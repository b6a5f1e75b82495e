import type { Ready } from '@liminal/stand-ins/testing/start-program';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const patience = { timeout: 30_000 };

export const screen = (page: Page) => page.locator('.xterm-rows');

/** The rows of the screen, without padding. */
export const textOf = async (page: Page): Promise<string> =>
  (await screen(page).locator('> div').allInnerTexts()).map((row) => row.trimEnd()).join('\n');

export const shows = (page: Page, text: string | RegExp) => expect.poll(() => textOf(page), patience).toMatch(text);

export async function openTerminals(page: Page, { url }: Ready): Promise<void> {
  const kept = page.waitForResponse(/\/api\/workspace/);
  await page.goto(url);
  const panel = page.getByRole('region', { name: 'Terminals' });
  // If another browser has left the panel open, it is open here, too.
  await (await kept).finished();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  if (!(await panel.isVisible())) await page.getByRole('button', { name: /^Terminal/ }).click();
  await panel.waitFor();
}

/** Opens another terminal, and waits until it is the one on the screen: what is typed before goes into the old one. */
export async function newTerminal(page: Page): Promise<void> {
  const tabs = page.getByRole('tablist', { name: 'Open terminals' }).getByRole('tab');
  // Once the panel has its list of terminals, it can be compared.
  await tabs.first().or(page.getByText('No terminal is open')).first().waitFor();
  const before = await tabs.count();
  await page.getByRole('button', { name: 'New terminal' }).first().click();
  await tabs.nth(before).and(page.locator('[aria-selected=true]')).waitFor();
}

export async function type(page: Page, line: string): Promise<void> {
  await page.getByRole('group', { name: /^Terminal/ }).click();
  await page.keyboard.type(line);
  await page.keyboard.press('Enter');
}
