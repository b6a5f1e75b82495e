import type { Bench, Row } from '../bench.ts';
import { median, noiseOf, quantile } from '../statistics/quantile.ts';
import { startFilledHost, type FilledHost } from './filled-host.ts';
import { openChromium } from './visit-page.ts';

const perSession = 500;
/** A rare word, a common one, a start of a word, two words, a phrase, no match. */
const queries = ['encapsulation', 'the', 'plug', 'server request', '"content type"', 'xyzzyx'];

async function ask({ address: { port, token } }: FilledHost, query: string): Promise<number> {
  const began = performance.now();
  const reply = await fetch(`http://127.0.0.1:${port}/api/search?q=${encodeURIComponent(query)}&limit=40`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { hits } = (await reply.json()) as { hits: unknown[] };
  if (!reply.ok || (hits.length === 0) !== (query === 'xyzzyx')) throw new Error(`${query}: ${hits?.length} hits.`);
  return performance.now() - began;
}

/** From the query in the field to the frame that shows its matches. */
async function type(host: FilledHost, rounds: number): Promise<number[]> {
  const chromium = await openChromium();
  const visit = await chromium.visit(host.address);
  const { page } = visit;
  const ms: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await page.keyboard.press('Control+Shift+KeyF');
    const field = page.getByRole('combobox', { name: 'Search' });
    await field.waitFor();
    await page.evaluate(() => {
      const seen = globalThis as unknown as { typedAt: number; paintedAt: number };
      Object.assign(seen, { typedAt: 0, paintedAt: 0 });
      addEventListener('input', () => (seen.typedAt = performance.now()), { once: true, capture: true });
      const look = (): void => {
        if (document.querySelector('[role=option] mark') === null) requestAnimationFrame(look);
        else requestAnimationFrame(() => (seen.paintedAt = performance.now()));
      };
      requestAnimationFrame(look);
    });
    await field.fill('encapsulation');
    await page.waitForFunction(() => (globalThis as unknown as { paintedAt: number }).paintedAt > 0);
    ms.push(
      await page.evaluate(() => {
        const { typedAt, paintedAt } = globalThis as unknown as { typedAt: number; paintedAt: number };
        return paintedAt - typedAt;
      }),
    );
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Search' }).waitFor({ state: 'hidden' });
  }
  await visit.close();
  await chromium.close();
  return ms;
}

export const search: Bench = {
  name: 'search',
  title: 'Search over the text of all sessions',
  measures:
    'Sessions of 500 items, 100,000 items in all (quick: 20,000), on a restarted server: from a query over HTTP to its 40 matches, for a rare word, a common word, a prefix, two words, a phrase and a word that doesn’t occur. In Chromium, from the word in the field to the frame that shows the results.',
  async run(mode) {
    const items = mode === 'quick' ? 20_000 : 100_000;
    const host = await startFilledHost(
      Array.from({ length: items / perSession }, (_, index) => ({
        title: `Session ${index}`,
        items: perSession,
        fromWord: index * 7_001,
      })),
    );
    try {
      const took = new Map(queries.map((query) => [query, [] as number[]]));
      await ask(host, 'the');
      for (let round = 0; round < 20; round += 1)
        for (const query of queries) took.get(query)?.push(await ask(host, query));
      const all = [...took.values()].flat();
      const row = (measure: string, values: readonly number[], value: number): Row => ({
        measure,
        value,
        unit: 'ms',
        noise: noiseOf(values),
        budget: 'search',
      });
      const typed = await type(host, mode === 'quick' ? 3 : 9);
      return {
        rows: [
          ...[...took].map(([query, values]) => row(`${query.replaceAll('"', '”')}: median`, values, median(values))),
          row('all queries: P95', all, quantile(all, 0.95)),
          row('typed word to painted results: median', typed, median(typed)),
        ],
      };
    } finally {
      await host.stop();
    }
  },
};
