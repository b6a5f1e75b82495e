import type { Bench, Mode, Row } from '../bench.ts';
import { startHost } from '../host/start-host.ts';
import type { Beaten, Beats } from '../jobs/latency-job.ts';
import type { ReaderSpec, Samples } from '../readers/reader-process.ts';
import { startReaders } from '../readers/start-readers.ts';
import type { BarPlot } from '../report/bar-plot.ts';
import { quantile } from '../statistics/quantile.ts';
import { tryAgain } from '../try-again.ts';

const job = new URL('../jobs/latency-job.ts', import.meta.url);
const sessions = 200;
const subscribers = 5;
const updatesPerSecond = 20;
const warmUpRounds = 2;

type Opened = { readonly port: number; readonly token: string; readonly sessionIds: readonly string[] };

async function measure(rounds: number): Promise<{ rounds: number[][]; beaten: Beaten }> {
  const host = await startHost(job);
  try {
    const { port, token, sessionIds } = await host.ask<Opened>('open', { sessions });
    const url = `ws://127.0.0.1:${port}/ws`;
    const specs = sessionIds.flatMap((sessionId) =>
      Array.from({ length: subscribers }, (): ReaderSpec => {
        return { url, token, deflate: false, sessionIds: [sessionId], keeps: 'stamps' };
      }),
    );
    const readers = await startReaders(specs);
    try {
      const all = warmUpRounds + rounds;
      const beats: Beats = {
        everyMs: 1000 / updatesPerSecond,
        rounds: all,
        beatsPerRound: updatesPerSecond,
        firstRound: 0,
        fromDue: true,
      };
      const beaten = await host.ask<Beaten>('beat', beats);
      const samples = await readers.ask<Samples>('takeSamples', { count: all * updatesPerSecond * specs.length });
      const kept = samples.filter(({ round }) => round >= warmUpRounds);
      return { rounds: kept.map(({ ms }) => [...ms]), beaten };
    } finally {
      await readers.stop();
    }
  } finally {
    await host.stop();
  }
}

type Loaded = { readonly rows: readonly Row[]; readonly rounds: readonly number[][] };

async function bear(mode: Mode): Promise<Loaded> {
  const { rounds, beaten } = await measure(mode === 'quick' ? 8 : 60);
  const all = rounds.flat();
  const worst = Math.max(...rounds.map((ms) => quantile(ms, 0.99)));
  return {
    rounds,
    rows: [
      { measure: 'frames a second', value: all.length / rounds.length, unit: '/s' },
      { measure: 'P50', value: quantile(all, 0.5), unit: 'ms' },
      { measure: 'P99', value: quantile(all, 0.99), unit: 'ms', budget: 'delivery under load' },
      { measure: 'P99 of the worst second', value: worst, unit: 'ms' },
      {
        measure: 'CPU cores used by the server, including the writer thread',
        value: beaten.cpuSeconds / beaten.seconds,
        unit: '',
        budget: 'processors under load',
      },
    ],
  };
}

export const load: Bench = {
  name: 'load',
  title: `Server under load: ${sessions} sessions × ${subscribers} subscribers × ${updatesPerSecond} updates a second`,
  measures: `As in NFR-3, without a baseline: ${sessions} agents each send ten words ${updatesPerSecond} times a second. Every subscriber has its own socket, ${sessions * subscribers} in all, uncompressed (compressing this many frames takes more than two CPU cores in any server). A full run takes a minute, a quick run eight seconds. Time counts from the moment the words were due, not from when the server picked them up. P99 covers all frames. A miss is measured again (at most twice, never in a quick run) and listed below the table.`,
  async run(mode) {
    const { found, earlier } = await tryAgain(mode, () => bear(mode));
    const plot: BarPlot = {
      name: 'load',
      title: 'Due time to frame in the client, second by second',
      unit: 'ms',
      series: ['P50', 'P99'],
      groups: found.rounds.map((ms, index) => ({
        label: `${index + 1} s`,
        values: [quantile(ms, 0.5), quantile(ms, 0.99)],
      })),
    };
    return { rows: found.rows, plots: [plot], remarks: earlier };
  },
};
