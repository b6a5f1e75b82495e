import type { Bench, Mode, Row } from '../bench.ts';
import type { Beats } from '../jobs/latency-job.ts';
import type { Side } from '../jobs/stamp.ts';
import { startHost } from '../host/start-host.ts';
import type { BarPlot } from '../report/bar-plot.ts';
import type { ReaderSpec, Samples } from '../readers/reader-process.ts';
import { startReaders } from '../readers/start-readers.ts';
import { median, noiseOf, quantile } from '../statistics/quantile.ts';

type Opened = {
  readonly port: number;
  readonly barePort: number;
  readonly token: string;
  readonly sessionIds: readonly string[];
};
type Case = {
  readonly label: string;
  readonly sessions: number;
  readonly subscribers: number;
  readonly deflate: boolean;
};

const job = new URL('../jobs/latency-job.ts', import.meta.url);
const cases: readonly Case[] = [true, false].flatMap((deflate) => [
  { label: '1 session', sessions: 1, subscribers: 1, deflate },
  { label: '50 sessions × 3 subscribers', sessions: 50, subscribers: 3, deflate },
]);
const warmUpRounds = 2;

/** Rounds long enough that a P99 stands on at least ten frames above it. */
function beatsFor({ sessions }: Case, mode: Mode): Beats {
  const rounds = warmUpRounds + (mode === 'quick' ? 11 : 41);
  return sessions === 1
    ? { everyMs: 2, rounds, beatsPerRound: 500, firstRound: 0 }
    : { everyMs: 50, rounds, beatsPerRound: 20, firstRound: 0 };
}

async function measure(one: Case, mode: Mode): Promise<Samples> {
  const host = await startHost(job);
  try {
    const { port, barePort, token, sessionIds } = await host.ask<Opened>('open', { sessions: one.sessions });
    const specs = sessionIds.flatMap((sessionId) =>
      Array.from({ length: one.subscribers }, (): ReaderSpec[] => {
        const common = { token, deflate: one.deflate, keeps: 'stamps' } as const;
        return [
          { ...common, url: `ws://127.0.0.1:${port}/ws`, sessionIds: [sessionId] },
          { ...common, url: `ws://127.0.0.1:${barePort}/${sessionId}` },
        ];
      }).flat(),
    );
    const readers = await startReaders(specs);
    try {
      await host.ask('beat', beatsFor(one, mode));
      const samples = await readers.ask<Samples>('takeSamples', { count: expectedCount(one, beatsFor(one, mode)) });
      return samples.filter(({ round }) => round >= warmUpRounds);
    } finally {
      await readers.stop();
    }
  } finally {
    await host.stop();
  }
}

const expectedCount = ({ sessions, subscribers }: Case, { rounds, beatsPerRound }: Beats): number =>
  rounds * beatsPerRound * sessions * subscribers;

function rowsOf({ label, deflate }: Case, samples: Samples): Row[] {
  const rounds = (side: Side, part: number) =>
    samples.filter((round) => round.side === side).map(({ ms }) => quantile(ms, part));
  return [['P50', 0.5] as const, ['P99', 0.99] as const].map(([name, part]) => {
    const [ours, bare] = [rounds('ours', part), rounds('bare', part)];
    const [value, baseline] = [median(ours), median(bare)];
    const measure = `${label}, ${deflate ? 'deflate' : 'uncompressed'}, ${name}`;
    const budget = 'NFR-3 near a bare socket';
    return { measure, value, unit: 'ms', noise: noiseOf(ours), baseline, ratio: value / baseline, budget };
  });
}

export const latency: Bench = {
  name: 'latency',
  title: 'NFR-3: provider callback to frame in the client, beside a bare ws socket',
  measures:
    'The scripted provider calls back with about ten words; a client in another process takes the time at which the frame reaches it. Beside it the same bytes are written straight to a `ws` socket of the same process, with the same compression, in turns with ours: every second beat of a session is theirs. A session beats 20 times a second where there are 50 (3,000 frames a second), 500 times where there is one. The figures are medians of the rounds’ P50 and P99.',
  async run(mode) {
    const rows: Row[] = [];
    for (const one of cases) rows.push(...rowsOf(one, await measure(one, mode)));
    const plot: BarPlot = {
      name: 'latency',
      title: 'NFR-3: provider callback to frame in the client',
      unit: 'ms',
      series: ['ours', 'bare ws'],
      groups: rows.map(({ measure, value, baseline = Number.NaN }) => ({ label: measure, values: [value, baseline] })),
    };
    return { rows, plots: [plot] };
  },
};
