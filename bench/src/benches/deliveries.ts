import { fileURLToPath } from 'node:url';
import type { Bench, Mode, Row } from '../bench.ts';
import { startHost } from '../host/start-host.ts';
import type { Flooded } from '../jobs/deliveries-job.ts';
import type { Side } from '../jobs/stamp.ts';
import { startProcess } from '../processes/start-process.ts';
import { median, noiseOf } from '../statistics/quantile.ts';

const job = new URL('../jobs/deliveries-job.ts', import.meta.url);
const counterFile = fileURLToPath(new URL('../readers/frame-counter-process.ts', import.meta.url));
const subscribers = 20;
const sides = ['ours', 'bare'] as const;

type Floods = Record<Side, Flooded[]>;

async function measure(deflate: boolean, mode: Mode): Promise<Floods> {
  const host = await startHost(job);
  const counter = await startProcess(counterFile);
  try {
    const opened = await host.ask<object>('open');
    await counter.ask('open', { ...opened, subscribers, deflate });
    const found: Floods = { ours: [], bare: [] };
    const [rounds, items] = mode === 'quick' ? [2, 1250] : [8, 2500];
    for (let round = -1; round < rounds; round += 1) {
      // The order changes, so neither always runs after the other.
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const flooded = await host.ask<Flooded>('flood', { side, items: items / (deflate ? 5 : 1) });
        if (round >= 0) found[side].push(flooded);
      }
    }
    return found;
  } finally {
    await counter.stop();
    await host.stop();
  }
}

function rowsOf(label: string, { ours, bare }: Floods): Row[] {
  const perSecond = (floods: Flooded[]) => floods.map((flood) => flood.perSecond);
  const cpu = (floods: Flooded[]) => median(floods.map((flood) => flood.cpuMicroseconds));
  const [value, baseline] = [median(perSecond(ours)), median(perSecond(bare))];
  return [
    {
      measure: `deliveries, ${label}`,
      value,
      unit: '/s',
      noise: noiseOf(perSecond(ours)),
      baseline,
      ratio: value / baseline,
      budget: 'deliveries beside a bare broadcast',
    },
    {
      measure: `CPU time of the server per delivery, ${label}`,
      value: cpu(ours),
      unit: 'µs',
      baseline: cpu(bare),
      ratio: cpu(ours) / cpu(bare),
    },
  ];
}

export const deliveries: Bench = {
  name: 'deliveries',
  title: 'Deliveries per second, compared with a bare ws broadcast',
  measures: `One session publishes new items of about 400 bytes to ${subscribers} subscribers as fast as they accept them. The baseline, alternating with ours, is a bare \`ws\` server in the same process that sends the same bytes to as many sockets. The readers, in another process, only count frames. Ours also numbers every item, keeps it and writes it to disk.`,
  async run(mode) {
    const plain = rowsOf('uncompressed', await measure(false, mode));
    const deflated = rowsOf('deflate', await measure(true, mode));
    const groups = [plain[0], deflated[0]].flatMap((row) =>
      row ? [{ label: row.measure, values: [row.value, row.baseline ?? Number.NaN] }] : [],
    );
    const plot = {
      name: 'deliveries',
      title: 'Deliveries per second',
      unit: 'frames/s',
      series: ['ours', 'bare ws'],
      groups,
    };
    return { rows: [...plain, ...deflated], plots: [plot] };
  },
};
