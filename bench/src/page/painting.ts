import type { Page } from 'playwright-core';
import type { Bench, BenchResult, Mode, Row } from '../bench.ts';
import { startHost } from '../host/start-host.ts';
import type { Beating, Opened, Speaking } from '../jobs/paint-job.ts';
import { chunksOf, prose } from '../jobs/prose.ts';
import type { Asked } from '../processes/start-process.ts';
import { noiseOf, quantile } from '../statistics/quantile.ts';
import { answeredAt, awaitAnswer, marksOf, watchPainting } from './watch-painting.ts';
import { openChromium } from './visit-page.ts';

const job = new URL('../jobs/paint-job.ts', import.meta.url);
const skipped = 10;

/** How long each mark took from the server to the screen, through us and through a bare page. */
async function beat(host: Asked, ours: Page, bare: Page, { beats, everyMs }: Beating): Promise<[number[], number[]]> {
  await host.ask('beat', { beats, everyMs } satisfies Beating);
  const [a, b] = [await marksOf(ours), await marksOf(bare)];
  // A lost mark must not improve a result.
  if (a.length < beats / 2 - 1 || b.length < beats / 2 - 1)
    throw new Error(`Of ${beats} marks ${a.length} + ${b.length} came.`);
  return [a.slice(skipped), b.slice(skipped)];
}

/** How long the first words of several answers took from the agent to the screen. */
async function speak(host: Asked, page: Page, rounds: number, speaking: Speaking): Promise<number[]> {
  const ms: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await awaitAnswer(page);
    const said = await host.ask<number>('speak', speaking);
    ms.push((await answeredAt(page)) - said);
    await host.ask('nextTurn');
  }
  return ms;
}

/** Plain words: markup in them wouldn't be visible text. */
const english = chunksOf(prose(400).replaceAll(/<[^>]*>|[`#*_[\]|]/g, '')).slice(4);
const chinese = '会话是一条由回合组成的线每个回合由条目组成条目一直增长直到完成页面始终跟随'.match(/./gu) ?? [];
const enough = (tokens: readonly string[], perSecond: number) =>
  tokens.slice(0, Math.max(3, Math.min(30, perSecond / 2)));
const paces: readonly { readonly name: string; readonly speaking: Speaking }[] = [
  ...[5, 50, 500].map((tokensPerSecond) => ({
    name: `${tokensPerSecond} tokens a second`,
    speaking: { tokensPerSecond, tokens: enough(english, tokensPerSecond) },
  })),
  { name: '50 a second, without spaces', speaking: { tokensPerSecond: 50, tokens: enough(chinese, 50) } },
];

async function measure(mode: Mode): Promise<BenchResult> {
  const host = await startHost(job);
  const chromium = await openChromium();
  try {
    const { barePort, sessionId, ...address } = await host.ask<Opened>('open');
    const visit = await chromium.visit(address, [sessionId]);
    const bare = await chromium.barePage(`ws://127.0.0.1:${barePort}/`);
    await visit.page.locator('[role=log]').waitFor();
    for (const page of [visit.page, bare]) await watchPainting(page);
    const [ours, theirs] = await beat(host, visit.page, bare, { beats: mode === 'quick' ? 100 : 1000, everyMs: 37 });
    await host.ask('nextTurn');
    const row = (measure: string, part: number): Row => {
      const [value, baseline] = [quantile(ours, part), quantile(theirs, part)];
      return { measure, value, unit: 'ms', baseline, ratio: value / baseline, noise: noiseOf(ours) };
    };
    const first: Row[] = [];
    for (const { name, speaking } of paces) {
      const ms = await speak(host, visit.page, mode === 'quick' ? 6 : 20, speaking);
      first.push({
        measure: `first delta to visible text, ${name}: P95 (median ${Math.round(quantile(ms, 0.5))} ms)`,
        value: quantile(ms, 0.95),
        unit: 'ms',
        noise: noiseOf(ms),
        budget: 'NFR-4 first visible text',
      });
    }
    await visit.close();
    return {
      rows: [
        {
          ...row('provider callback to painted text, P50, compared with a bare page', 0.5),
          budget: 'NFR-3 near a bare page',
        },
        row('provider callback to painted text, P99, compared with a bare page', 0.99),
        ...first,
      ],
    };
  } finally {
    await chromium.close();
    await host.stop();
  }
}

export const painting: Bench = {
  name: 'painting',
  title: 'NFR-3 and NFR-4: time to painted text in Chromium',
  measures:
    'The scripted provider calls back with about ten words every 74 ms, into a growing message, and our page notes the time of the frame that shows them. The baseline, alternating with ours, sends the same bytes over a bare `ws` socket to a page that only appends them to a text. Then the first words of an answer: from the agent’s first delta, through the accumulator, to the frame that shows text, at 5, 50 and 500 tokens a second and without spaces.',
  run: measure,
};
