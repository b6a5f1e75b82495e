import { setTimeout as wait } from 'node:timers/promises';
import type { Bench, BenchResult, Mode, Row } from '../bench.ts';
import { median, noiseOf } from '../statistics/quantile.ts';
import { startFilledHost, type FilledHost } from './filled-host.ts';
import { paintedAfterClick, paintedAfterKey } from './painted.ts';
import { openChromium, type Held, type Visitors } from './visit-page.ts';
import { type Blanks, watchBlanks } from './watch-blanks.ts';

const all = [1_000, 100, 2_000, 10_000, 100_000];
const sizes = { quick: all.slice(0, 4), full: all } as const;
const titleOf = (items: number): string => `Session of ${items} items`;
const lastWords = (items: number): string => `Answer ${items / 2 - 1} of`;
const log = '.pane-active [role=log]';

type Opening = Held & { readonly ms: number; readonly kilobytes: number };

/** The bytes sent once the server is quiet: older turns may still be loading when the end is painted. */
async function sentInAll(host: FilledHost): Promise<number> {
  let [before, now] = [-1, 0];
  while (before !== now) {
    before = now;
    await wait(150);
    now = await host.ask<number>('bytesSent');
  }
  return now;
}

/** A session opened from the list, in its own page. */
async function open(host: FilledHost, chromium: Visitors, items: number): Promise<Opening> {
  const visit = await chromium.visit(host.address);
  const click = `nav [title="${titleOf(items)}"]`;
  await visit.page.locator(click).waitFor();
  const empty = await visit.held();
  const sent = await sentInAll(host);
  const ms = await paintedAfterClick(visit.page, { click, within: log, words: lastWords(items) });
  const kilobytes = ((await sentInAll(host)) - sent) / 1000;
  const { heapMb, nodes } = await visit.held();
  await visit.close();
  return { ms, kilobytes, heapMb: heapMb - empty.heapMb, nodes };
}

/** Two long sessions in tabs, shown alternately. One is scrolled up and must keep its position. */
async function switchTabs(host: FilledHost, chromium: Visitors, mode: Mode): Promise<number[]> {
  const [lesser = 0, greater = 0] = sizes[mode].slice(-2);
  const [long = '', longest = ''] = host.sessionIds.slice(-2);
  const visit = await chromium.visit(host.address, [longest, long]);
  const { page } = visit;
  const list = page.locator(log);
  await list.getByText(lastWords(greater)).waitFor();
  await list.hover();
  await page.mouse.wheel(0, -600);
  const place = () => list.evaluate((element) => Math.round(element.scrollTop));
  await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  let before = -1;
  while (before !== (before = await place())) await page.evaluate(() => new Promise(requestAnimationFrame));
  const ms: number[] = [];
  const inSight = await list.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    const seen = [...element.querySelectorAll('p')].filter((part) => {
      const box = part.getBoundingClientRect();
      return box.top > top && box.bottom < bottom;
    });
    return seen[0]?.textContent.slice(0, 24) ?? '';
  });
  for (let round = 0; round < 5; round += 1) {
    ms.push(await paintedAfterClick(page, { click: `#tab-${long}`, within: log, words: lastWords(lesser) }));
    ms.push(await paintedAfterClick(page, { click: `#tab-${longest}`, within: log, words: inSight }));
    const now = await place();
    if (Math.abs(now - before) > 2) throw new Error(`The session was at ${before} and is at ${now}.`);
  }
  await visit.close();
  return ms;
}

/** Ctrl+Home in a session of 2,000 items, from its end. */
async function goToStart(host: FilledHost, chromium: Visitors, rounds: number): Promise<number[]> {
  const ms: number[] = [];
  const sessionId = host.sessionIds[all.indexOf(2_000)] ?? '';
  for (let round = 0; round < rounds; round += 1) {
    const visit = await chromium.visit(host.address, [sessionId]);
    await visit.page.locator(log).getByText(lastWords(2_000)).waitFor();
    const first = `Question 0 of ${titleOf(2_000)}`;
    ms.push(await paintedAfterKey(visit.page, { key: 'Home', within: log, words: first }));
    await visit.close();
  }
  return ms;
}

/** Scrolls a session of 10,000 items with the wheel, two screens at a time: up, while older turns load, and down. */
async function scroll(host: FilledHost, chromium: Visitors, turns: number): Promise<Blanks> {
  const visit = await chromium.visit(host.address, [host.sessionIds[all.indexOf(10_000)] ?? '']);
  const { page } = visit;
  const list = page.locator(log);
  await list.getByText(lastWords(10_000)).waitFor();
  await list.hover();
  const seen = await watchBlanks(page, log);
  for (const direction of [-1, 1])
    for (let turn = 0; turn < turns; turn += 1) {
      await page.mouse.wheel(0, direction * 1500);
      for (let frame = 0; frame < 2; frame += 1) await page.evaluate(() => new Promise(requestAnimationFrame));
    }
  const blanks = await seen();
  await visit.close();
  if (blanks.frames < turns) throw new Error(`The list moved in ${blanks.frames} frames only.`);
  return blanks;
}

function rowsOf(lengths: readonly number[], openings: readonly Opening[][]): Row[] {
  const kinds = [
    { words: 'click to painted end', unit: 'ms', of: ({ ms }: Opening) => ms },
    { words: 'data sent', unit: 'kB', of: ({ kilobytes }: Opening) => kilobytes },
    { words: 'heap used', unit: 'MB', of: ({ heapMb }: Opening) => heapMb },
    { words: 'DOM nodes of the page', unit: '', of: ({ nodes }: Opening) => nodes },
  ];
  return kinds.flatMap(({ words, unit, of }) => {
    const baseline = median(openings[0]?.map(of) ?? []);
    return lengths.map((items, index): Row => {
      const values = openings[index]?.map(of) ?? [];
      const value = median(values);
      const budget =
        unit === 'ms' ? ('opening is flat' as const) : ('a long session is as light as a short one' as const);
      return {
        measure: `${items.toLocaleString('en')} items: ${words}`,
        value,
        unit,
        noise: noiseOf(values),
        ...(index === 0 ? {} : { baseline, ratio: value / baseline, budget }),
      };
    });
  });
}

async function measure(mode: Mode): Promise<BenchResult> {
  const lengths = sizes[mode];
  const host = await startFilledHost(lengths.map((items) => ({ title: titleOf(items), items })));
  const chromium = await openChromium();
  try {
    // The first visit fills caches that later ones share.
    await open(host, chromium, 100);
    const openings = lengths.map((): Opening[] => []);
    // In turns, so other load on the machine affects all lengths equally.
    for (let round = 0; round < (mode === 'quick' ? 2 : 9); round += 1)
      for (const [index, items] of lengths.entries()) openings[index]?.push(await open(host, chromium, items));
    const switched = await switchTabs(host, chromium, mode);
    const tabs: Row = {
      measure: 'switching between long sessions by tab, scroll position kept',
      value: median(switched),
      unit: 'ms',
      noise: noiseOf(switched),
      budget: 'another tab',
    };
    const started = await goToStart(host, chromium, mode === 'quick' ? 2 : 7);
    const start: Row = {
      measure: 'from the last of 2,000 items to the first with Ctrl+Home',
      value: median(started),
      unit: 'ms',
      noise: noiseOf(started),
      budget: 'any point of a session',
    };
    const blanks = await scroll(host, chromium, mode === 'quick' ? 40 : 300);
    const scrolled: Row[] = [
      {
        measure: `10,000 items scrolled with the wheel: frames with a blank area, of ${blanks.frames}`,
        value: blanks.blank,
        unit: '',
        budget: 'no blank areas',
      },
      { measure: '10,000 items scrolled with the wheel: tallest blank area', value: blanks.tallest, unit: 'px' },
    ];
    const plot = {
      name: 'long-sessions',
      title: 'Click to the painted end of a session',
      unit: 'ms',
      series: ['median'],
      groups: lengths.map((items, index) => ({
        label: `${items.toLocaleString('en')} items`,
        values: [median(openings[index]?.map(({ ms }) => ms) ?? [])],
      })),
    };
    return { rows: [...rowsOf(lengths, openings), tabs, start, ...scrolled], plots: [plot] };
  } finally {
    await chromium.close();
    await host.stop();
  }
}

export const longSessions: Bench = {
  name: 'long-sessions',
  title: 'Long sessions in the page',
  measures:
    'Sessions of 100 to 100,000 items on a restarted server, each opened from the list in its own Chromium page: from the click to the frame that shows its last words, the bytes the server sent for it, its heap after garbage collection, and the DOM nodes of the whole page. The baseline is the session of 1,000 items, the shortest that exceeds what is sent first. A quick run skips 100,000. Then two long sessions in tabs are shown in turn, one of them scrolled up. Last, a session of 10,000 items is scrolled with the wheel, two screens at a time, and we check after every frame whether rows fill the list (50 px without one count as blank).',
  run: measure,
};
