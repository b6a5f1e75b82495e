import type { Page } from 'playwright-core';
import type { Bench, Row } from '../bench.ts';
import { median, noiseOf, quantile } from '../statistics/quantile.ts';
import { startFilledHost, type FilledHost } from './filled-host.ts';
import { openChromium, type Visit } from './visit-page.ts';

const count = 500;
const title = (index: number): string => `Session ${index}`;

async function rename({ address: { port, token } }: FilledHost, sessionId: string, to: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const url = `http://127.0.0.1:${port}/api/session/${sessionId}`;
  const reply = await fetch(url, { method: 'PATCH', headers, body: JSON.stringify({ title: to }) });
  if (!reply.ok) throw new Error(await reply.text());
}

const quiet = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve())));

/** Resolves when the row with this title is painted; the page itself checks, only where something changed. */
const painted = (page: Page, to: string): Promise<void> =>
  page.evaluate(
    (wanted) =>
      new Promise<void>((resolve) => {
        const list = document.querySelector('nav .session-list');
        const watch = new MutationObserver(() => {
          if (list?.querySelector(`[title="${wanted}"]`) === null) return;
          watch.disconnect();
          requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
        });
        if (list !== null) watch.observe(list, { subtree: true, childList: true, attributes: true });
      }),
    to,
  );

/** How long the page's main thread works for one change of one session, until the row with its new title is painted. */
async function changes(host: FilledHost, visit: Visit, rounds: number, word: string): Promise<number[]> {
  const { page, span } = visit;
  const ids = host.sessionIds.slice(-rounds - 1);
  const ms: number[] = [];
  for (const [round, sessionId] of ids.entries()) {
    const to = `${word} ${round} of ${ids.length}`;
    await quiet(page);
    await span();
    const shown = painted(page, to);
    await rename(host, sessionId, to);
    await shown;
    ms.push((await span()).busy * 1000);
  }
  // The first one compiles the code that the others run.
  return ms.slice(1);
}

export const sessionList: Bench = {
  name: 'session-list',
  title: 'IN-3: one change among 500 sessions',
  measures:
    'A server with 500 sessions, all of them in the sidebar of a page in Chromium, and the inbox open next to it. One session is renamed. The figure is the CPU time of the page’s main thread until the row shows the new name: reading the message, computing the list and the inbox, drawing and painting.',
  async run(mode) {
    const rounds = mode === 'quick' ? 20 : 60;
    const host = await startFilledHost(
      Array.from({ length: count }, (_, index) => ({ title: title(index), items: 2, fromWord: index * 31 })),
    );
    const chromium = await openChromium();
    try {
      const visit = await chromium.visit(host.address);
      const { page } = visit;
      await page.getByRole('button', { name: /^Show \d+ older$/ }).click();
      await page.getByRole('navigation').getByTitle(title(0), { exact: true }).waitFor();
      const list = await changes(host, visit, rounds, 'Renamed');
      await page.keyboard.press('Alt+KeyI');
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
      const inbox = await changes(host, visit, rounds, 'Again');
      await visit.close();
      const row = (measure: string, ms: readonly number[]): Row[] => [
        { measure: `${measure}: median`, value: median(ms), unit: 'ms', noise: noiseOf(ms), budget: 'IN-3 one change' },
        { measure: `${measure}: P95`, value: quantile(ms, 0.95), unit: 'ms' },
      ];
      return { rows: [...row('one change, all sessions in the list', list), ...row('the same with the inbox', inbox)] };
    } finally {
      await chromium.close();
      await host.stop();
    }
  },
};
