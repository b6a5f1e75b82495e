import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/** Sends the typed text by key, and waits until the server has it. The first message creates its session. */
export async function sendMessage(composer: Locator, lines: readonly string[]): Promise<void> {
  await composer.fill(lines.join('\n'));
  const taken = composer.page().waitForResponse((reply) => {
    const isNew = reply.url().endsWith('/session/create') && reply.request().postData()?.includes('"message"');
    return isNew === true || reply.url().endsWith('/send');
  });
  await composer.press('Enter');
  expect([201, 202]).toContain((await taken).status());
  // The tab of a session that doesn't exist yet has its own id.
  await composer.page().locator('[role=tab][aria-selected=true]:not([id^="tab-new-session"])').waitFor();
}
