import type { Bench, BenchResult, Mode, Row } from '../bench.ts';
import { startHost } from '../host/start-host.ts';
import type { SentAnswer } from '../jobs/bytes-job.ts';
import type { Asked } from '../processes/start-process.ts';
import { quantile } from '../statistics/quantile.ts';
import { watchFrames, type Frames } from './watch-frames.ts';
import { openChromium, type Visitors } from './visit-page.ts';

const job = new URL('../jobs/bytes-job.ts', import.meta.url);

type Streamed = Frames & {
  readonly words: number;
  readonly wordsPerSecond: number;
  /** The share of the answer's duration in which the main thread worked. */
  readonly share: number;
  /** What the answer added to the heap, and the length of its text. */
  readonly heapMb: number;
  readonly textMb: number;
  readonly wirePerText: number;
  /** From the agent's last word to the frame that shows it. */
  readonly lateMs: number;
};

/** Streams one answer into its own page, until its last words appear. */
async function stream(host: Asked, chromium: Visitors, words: number, wordsPerSecond: number): Promise<Streamed> {
  const { sessionId, ...address } = await host.ask<{ port: number; token: string; sessionId: string }>('open');
  const visit = await chromium.visit(address, [sessionId]);
  await visit.page.locator('[role=log]').waitFor();
  const before = await visit.held();
  const sent = await host.ask<number>('socketBytesSent');
  const frames = await watchFrames(visit.page);
  await visit.span();
  const answer = await host.ask<SentAnswer>('answer', { words, wordsPerSecond, timesFaster: 1 });
  const ended = performance.now();
  const last = answer.text.trim().split(/\s+/).at(-1) ?? '';
  await visit.page.waitForFunction(
    (end) => (document.querySelector('[role=log]')?.textContent ?? '').trimEnd().endsWith(end),
    last.replaceAll(/[`*_]/g, ''),
  );
  const lateMs = performance.now() - ended;
  const { busy, wall } = await visit.span();
  const seen = await frames();
  const wire = (await host.ask<number>('socketBytesSent')) - sent;
  const { heapMb } = await visit.held();
  await visit.close();
  return {
    ...seen,
    words,
    wordsPerSecond,
    share: busy / wall,
    heapMb: heapMb - before.heapMb,
    textMb: answer.textBytes / 1e6,
    wirePerText: wire / answer.textBytes,
    lateMs,
  };
}

const nameOf = ({ words, wordsPerSecond }: Streamed) =>
  `${words.toLocaleString('en')} words at ${wordsPerSecond.toLocaleString('en')} a second`;

function rowsOfPaced(paced: Streamed, fast: Streamed): Row[] {
  const name = nameOf(paced);
  return [
    { measure: `${name}: main thread busy`, value: paced.share, unit: '', budget: 'main thread while streaming' },
    { measure: `${name}: longest task`, value: paced.longestTask, unit: 'ms', budget: 'longest task while streaming' },
    { measure: `${name}: most rows redrawn in one frame`, value: paced.mostRows, unit: '', budget: 'one row a frame' },
    { measure: `${name}: rows added or removed`, value: paced.listChanges, unit: '', budget: 'the list stays' },
    {
      measure: `${name}: heap afterwards, compared with the same text at ten times the speed`,
      value: paced.heapMb,
      unit: 'MB',
      baseline: fast.heapMb,
      ratio: paced.heapMb / fast.heapMb,
      budget: 'heap whatever the number of updates',
    },
  ];
}

function rowsOfLengths(runs: readonly Streamed[]): Row[] {
  const [first] = runs;
  if (!first) return [];
  return runs.flatMap((run): Row[] => {
    const isFirst = run === first;
    const beside = (value: number, baseline: number) => (isFirst ? {} : { baseline, ratio: value / baseline });
    const flat = isFirst ? {} : { budget: 'streaming is flat' as const };
    const gap = quantile(run.gaps, 0.99);
    return [
      {
        measure: `${nameOf(run)}: main thread busy`,
        value: run.share,
        unit: '',
        ...beside(run.share, first.share),
        ...flat,
      },
      {
        measure: `${nameOf(run)}: frame gap, P99 (longest ${Math.round(Math.max(...run.gaps))} ms)`,
        value: gap,
        unit: 'ms',
        ...beside(gap, quantile(first.gaps, 0.99)),
      },
      {
        measure: `${nameOf(run)}: bytes sent per byte of text`,
        value: run.wirePerText,
        unit: '',
        budget: 'sent per byte of text',
      },
      { measure: `${nameOf(run)}: last words painted after the agent finished`, value: run.lateMs, unit: 'ms' },
    ];
  });
}

async function measure(mode: Mode): Promise<BenchResult> {
  const host = await startHost(job);
  const chromium = await openChromium();
  try {
    // The first answer compiles code for the others.
    await stream(host, chromium, 500, 2_000);
    const lengths = mode === 'quick' ? [1_000, 10_000] : [1_000, 10_000, 100_000];
    const runs: Streamed[] = [];
    for (const words of lengths) runs.push(await stream(host, chromium, words, 2_000));
    const words = mode === 'quick' ? 1_000 : 20_000;
    const paced = await stream(host, chromium, words, 200);
    const fast = await stream(host, chromium, words, 2_000);
    const plot = {
      name: 'streaming',
      title: 'Main thread busy while an answer streams',
      unit: 'share',
      series: ['share'],
      groups: [paced, ...runs].map((run) => ({ label: nameOf(run), values: [run.share] })),
    };
    return { rows: [...rowsOfPaced(paced, fast), ...rowsOfLengths(runs)], plots: [plot] };
  } finally {
    await chromium.close();
    await host.stop();
  }
}

export const streaming: Bench = {
  name: 'streaming',
  title: 'An answer streaming into the page',
  measures:
    'Prose and code from Fastify’s documentation, one delta per word, through accumulator, session and delivery into Chromium: 20,000 words at 200 a second (quick: 1,000), then answers of growing length, all at 2,000 a second. For the main thread, only its own CPU time counts. Rows are counted by what changes in the document between two frames. *Sent* is what the server wrote to the page’s WebSocket.',
  run: measure,
};
