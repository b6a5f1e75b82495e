import { startProgram, type Program } from '@liminal/stand-ins/testing/start-program';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser, type TestBrowser } from './support/browser.ts';

let program: Program;
let browser: TestBrowser;
beforeAll(async () => {
  program = startProgram({ viaNpm: true });
  browser = await launchBrowser({ hasMotion: true });
});
afterAll(async () => {
  await browser.close();
  await program.stop();
});

it('the first screen comes in a handful of files', async () => {
  const { url } = await program.ready;
  const { page } = await browser.visitor();
  await page.goto(url);
  await page.getByRole('button', { name: 'Try the demo' }).waitFor();
  const files = await page.evaluate(() => {
    const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const loaded = performance.getEntriesByType('resource').filter(({ name }) => /\.(js|css)$/.test(name));
    return loaded.filter(({ startTime }) => startTime < (visit?.domContentLoadedEventEnd ?? 0)).map(({ name }) => name);
  });
  expect(files).toContainEqual(expect.stringMatching(/page-.*\.js$/));
  expect(files.length).toBeLessThan(8);
});

it('a new user starts it, tries the demo, sees text grow and a tool run, reloads in the middle and loses nothing', async () => {
  const { url } = await program.ready;
  const { page, faults, foreignRequests } = await browser.visitor();
  await page.goto(url);
  await page.getByRole('button', { name: 'Try the demo' }).click();
  expect(page.url()).not.toContain('token');
  const composer = page.getByRole('textbox', { name: /Message/ });
  await composer.fill('long 150');
  await composer.press('Enter');
  const log = page.getByRole('log');
  const answer = log.locator('.markdown').last();
  await answer.waitFor();
  const lengths = new Set<number>();
  while (lengths.size < 4) lengths.add((await answer.innerText()).length);
  expect([...lengths]).toEqual([...lengths].toSorted((a, b) => a - b));

  const before = await answer.innerText();
  await page.reload();
  const ownWords = log.locator('.user-text', { hasText: 'long 150' });
  await ownWords.waitFor();
  expect(await ownWords.count()).toBe(1);
  expect((await answer.innerText()).startsWith(before.slice(0, 40))).toBe(true);
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
  expect((await answer.innerText()).length).toBeGreaterThanOrEqual(before.length);

  await composer.fill('run a tool');
  await composer.press('Enter');
  const tool = log.getByRole('button', { name: /^Ran/ }).last();
  await tool.waitFor();
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
  await tool.click();
  await log.getByText('3 passed').first().waitFor();

  expect(faults).toEqual([]);
  expect(foreignRequests).toEqual([]);
});
