import type { Page } from 'playwright-core';
import type { Mode, Row } from '../bench.ts';
import { startHost } from '../host/start-host.ts';
import { median, noiseOf } from '../statistics/quantile.ts';
import { startTerminal, type TerminalHost } from '../terminals/open-terminal.ts';
import { openChromium, type Visitors } from './visit-page.ts';

const job = new URL('../jobs/terminal-job.ts', import.meta.url);

type Seen = { readonly longestTask: number; readonly stopMs: number };
type Watched = { longest: number; changedAt: number; pressedAt: number };

/** Long tasks, and when the screen last changed. */
const watch = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const seen: Watched = { longest: 0, changedAt: 0, pressedAt: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.longest = Math.max(seen.longest, duration);
    }).observe({ entryTypes: ['longtask'] });
    new MutationObserver(() => void (seen.changedAt = performance.now())).observe(
      document.querySelector('.xterm-rows') ?? document.body,
      { subtree: true, childList: true, characterData: true },
    );
    document.addEventListener('keydown', ({ key }) => void (key === 'c' && (seen.pressedAt = performance.now())), true);
  });

async function run(chromium: Visitors, host: TerminalHost, seconds: number): Promise<Seen> {
  const terminal = await startTerminal(host, {});
  const visit = await chromium.visit(host);
  const { page } = visit;
  const panel = page.getByRole('region', { name: 'Terminals' });
  // A later visit finds the panel as the previous one left it.
  await page.evaluate(() => new Promise(requestAnimationFrame));
  if (!(await panel.isVisible())) await page.getByRole('button', { name: /^Terminal/ }).click();
  const screen = page.getByRole('group', { name: /^Terminal/ });
  await screen.click();
  await page.locator('.xterm-rows').getByText(/[#$]/).first().waitFor();
  await page.keyboard.type('yes "a line of usual length that is printed without an end"');
  await watch(page);
  await page.keyboard.press('Enter');
  await page.waitForTimeout(seconds * 1000);
  const { longest } = await page.evaluate(() => (globalThis as unknown as { seen: Watched }).seen);
  await page.keyboard.press('Control+c');
  const stopMs = await page.evaluate(async () => {
    const { seen } = globalThis as unknown as { seen: Watched };
    while (performance.now() - Math.max(seen.changedAt, seen.pressedAt) < 500)
      await new Promise((resolve) => setTimeout(resolve, 50));
    return seen.changedAt - seen.pressedAt;
  });
  await visit.close();
  await terminal.end();
  return { longestTask: longest, stopMs };
}

/** Endless output in Chromium: whether the page stays responsive, and how fast the output stops. */
export async function terminalInPage(mode: Mode): Promise<Row[]> {
  const [server, chromium] = [await startHost(job), await openChromium()];
  try {
    const host = await server.ask<TerminalHost>('open');
    const seen: Seen[] = [];
    for (let round = 0; round < (mode === 'quick' ? 2 : 6); round += 1)
      seen.push(await run(chromium, host, mode === 'quick' ? 3 : 8));
    const row = (measure: string, values: readonly number[], budget: NonNullable<Row['budget']>): Row => ({
      measure: `in the page: ${measure}`,
      value: median(values),
      unit: 'ms',
      noise: noiseOf(values),
      budget,
    });
    return [
      row(
        'longest task under `yes`',
        seen.map(({ longestTask }) => longestTask),
        'TM-2 no long task under endless output',
      ),
      row(
        'from Ctrl+C to the last change of the screen',
        seen.map(({ stopMs }) => stopMs),
        'TM-2 Ctrl+C stops the output',
      ),
    ];
  } finally {
    await chromium.close();
    await server.stop();
  }
}
