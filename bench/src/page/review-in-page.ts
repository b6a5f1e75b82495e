import type { ChangedFile, ChangedFileReply, ChangesReply } from '@liminal/contracts';
import { parseHunks } from '@liminal/domain/review/parse-hunks';
import type { Page } from 'playwright-core';
import type { Mode, Row } from '../bench.ts';
import { median, noiseOf, quantile } from '../statistics/quantile.ts';
import { startFilledHost, type FilledHost } from './filled-host.ts';
import { openChromium, type Visitors } from './visit-page.ts';

const file = (index: number): ChangedFile => ({
  path: `src/part-${Math.floor(index / 40)}/file-${index}.ts`,
  change: 'modified',
  additions: 3,
  deletions: 2,
  binary: false,
  size: 6_000,
  bySession: index % 3 !== 0,
  staged: 'no',
  oldId: `old${index}`,
  newId: `new${index}`,
});

const listOf = (count: number): ChangesReply => ({
  source: 'git',
  notices: [],
  folder: '/work/repo',
  branch: 'main',
  checkpoint: 'kept',
  total: count,
  truncated: false,
  files: Array.from({ length: count }, (_, index) => file(index)),
  notKept: [],
});

/** A patch of this many lines: hunks with replaced lines, as in a larger change. */
function patchOf(index: number, lines: number): ChangedFileReply {
  const { path, oldId, newId } = file(index);
  const hunks: string[] = [];
  for (let at = 1; at <= lines; at += 40) {
    const body = Array.from({ length: 20 }, (_, line) => {
      const text = `const value${at + line} = compute(${at + line}, options.perMinute);`;
      return line % 7 === 3 ? `-${text}\n+${text.replace('compute', 'refill')}\n` : ` ${text}\n`;
    });
    hunks.push(`@@ -${at},20 +${at},20 @@\n${body.join('')}`);
  }
  const patch = `--- a/${path}\n+++ b/${path}\n${hunks.join('')}`;
  return { path, oldId, newId, patch, hunks: parseHunks(patch), binary: false, tooLarge: false };
}

type Seen = { readonly listMs: number; readonly patchMs: number; readonly longestTask: number };

/** Replaces git's answers, so only the page is measured: from the last byte of an answer to the frame that shows it. */
async function open(
  chromium: Visitors,
  { address, sessionIds: [sessionId = ''] }: FilledHost,
  files: number,
  lines: number,
  use: (page: Page) => Promise<void> = async () => {},
): Promise<Seen> {
  const visit = await chromium.visit(address, [sessionId]);
  const { page } = visit;
  await page.setViewportSize({ width: 1440, height: 900 });
  const list = JSON.stringify(listOf(files));
  await page.route(/\/changes\?/, (route) => route.fulfill({ contentType: 'application/json', body: list }));
  await page.route(/\/changes\/file\?/, (route) => {
    const path = new URL(route.request().url()).searchParams.get('path') ?? '';
    const index = Number(/file-(\d+)/.exec(path)?.[1] ?? 0);
    return route.fulfill({ contentType: 'application/json', body: JSON.stringify(patchOf(index, lines)) });
  });
  // Loads the code of the review first, as on all but the first visit.
  await page.keyboard.press('Alt+KeyR');
  await page.locator('.review .diff-line').first().waitFor();
  await page.evaluate(() => {
    const seen = { isGone: false, listed: 0, shown: 0, longest: 0 };
    Object.assign(globalThis, { seen });
    performance.clearResourceTimings();
    new PerformanceObserver((entries) => {
      for (const { duration } of entries.getEntries()) seen.longest = Math.max(seen.longest, duration);
    }).observe({ type: 'longtask' });
    const look = (): void => {
      const now = performance.now();
      const [isListed, isShown] = ['.review-file', '.review .diff-line'].map(
        (selector) => document.querySelector(selector) !== null,
      );
      seen.isGone ||= isListed === false && isShown === false;
      if (seen.isGone && seen.listed === 0 && isListed === true) seen.listed = now;
      if (seen.isGone && seen.shown === 0 && isShown === true) seen.shown = now;
      if (seen.shown === 0) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  // Switches to another scope, which clears and reloads everything.
  await page.getByRole('button', { name: 'Uncommitted', exact: true }).click();
  await page.waitForFunction(() => (globalThis as unknown as { seen: { shown: number } }).seen.shown > 0);
  await use(page);
  const figures = await page.evaluate(() => {
    const { seen } = globalThis as unknown as { seen: { listed: number; shown: number; longest: number } };
    const endOf = (part: string): number =>
      (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).find(
        ({ name }) => name.includes(part) && name.includes('scope=uncommitted'),
      )?.responseEnd ?? Number.NaN;
    return {
      listMs: seen.listed - endOf('/changes?'),
      patchMs: seen.shown - endOf('/changes/file?'),
      longestTask: seen.longest,
    };
  });
  await visit.close();
  return figures;
}

/** From one end to the other, as fast as a wheel scrolls. */
async function scroll(page: Page): Promise<void> {
  await page.locator('.review-changes').hover();
  for (let step = 0; step < 40; step += 1) await page.mouse.wheel(0, 3_000);
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))),
  );
}

/** Rows of the review in the page: long lists, long patches and one very long file. */
export async function reviewInPage(mode: Mode): Promise<Row[]> {
  const rounds = mode === 'quick' ? 5 : 20;
  const host = await startFilledHost([{ title: 'Review', items: 20, fromWord: 0 }]);
  const chromium = await openChromium();
  const repeat = async (count: number, task: () => Promise<Seen>): Promise<Seen[]> => {
    const all: Seen[] = [];
    for (let round = 0; round < count; round += 1) all.push(await task());
    return all;
  };
  const row = (measure: string, values: readonly number[], value: number, budget?: Row['budget']): Row => ({
    measure: `in the page: ${measure}`,
    value,
    unit: 'ms',
    noise: noiseOf(values),
    ...(budget && { budget }),
  });
  try {
    const small = await repeat(rounds, () => open(chromium, host, 1, 5_000));
    const many = await repeat(3, () => open(chromium, host, 10_000, 100, scroll));
    const long = await repeat(3, () => open(chromium, host, 1, 100_000, scroll));
    const longest = (seen: readonly Seen[]): number[] => seen.map(({ longestTask }) => longestTask);
    const lists = many.map(({ listMs }) => listMs);
    const patches = small.map(({ patchMs }) => patchMs);
    const opened = long.map(({ patchMs }) => patchMs);
    const noLongTask = 'RV-8 no long task in a review';
    return [
      row('10,000 files listed, median', lists, median(lists)),
      row('patch of 5,000 lines opened, P95', patches, quantile(patches, 0.95), 'RV-8 a patch opens'),
      row('file of 100,000 lines opened, median', opened, median(opened)),
      row('longest task, 10,000 files', longest(many), Math.max(...longest(many)), noLongTask),
      row('longest task, a file of 100,000 lines', longest(long), Math.max(...longest(long)), noLongTask),
    ];
  } finally {
    await chromium.close();
    await host.stop();
  }
}
