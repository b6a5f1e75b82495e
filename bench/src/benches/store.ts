import type { Bench, Row } from '../bench.ts';
import { startHost } from '../host/start-host.ts';
import type { Way } from '../jobs/store-job.ts';
import { median, noiseOf } from '../statistics/quantile.ts';

const job = new URL('../jobs/store-job.ts', import.meta.url);
const rowsOf: Record<Way, number> = {
  single: 50,
  'bare single': 50,
  group: 500,
  growing: 500,
  ended: 500,
  'bare growing': 500,
  'bare ended': 500,
};
const ways = Object.keys(rowsOf) as Way[];

export const store: Bench = {
  name: 'store',
  title: 'Durable writes per second',
  measures:
    'Rows of about 700 bytes, written to the SQLite store (WAL, every commit synced) one by one, 500 at once (group commit), and 500 through the write-behind writer. The baseline, alternating with ours, is `node:sqlite` alone in this thread with the same tables, indexes and triggers: one commit per row, and all rows in one transaction. Single commits are as fast as the disk syncs. On both sides, finished items are also added to the search index.',
  async run(mode) {
    const host = await startHost(job);
    try {
      const found = new Map<Way, number[]>(ways.map((way) => [way, []]));
      const rounds = mode === 'quick' ? 9 : 31;
      for (let round = -2; round < rounds; round += 1) {
        for (const way of ways) {
          const perSecond = await host.ask<number>('write', { way, rows: rowsOf[way] });
          if (round >= 0) found.get(way)?.push(perSecond);
        }
      }
      const figure = (way: Way) => median(found.get(way) ?? []);
      const row = (measure: string, way: Way, beside: Way, budget?: Row['budget']): Row => ({
        measure,
        value: figure(way),
        unit: 'rows/s',
        noise: noiseOf(found.get(way) ?? []),
        baseline: figure(beside),
        ratio: figure(way) / figure(beside),
        ...(budget === undefined ? {} : { budget }),
      });
      const rows = [
        row(
          'single writes, compared with bare single commits',
          'single',
          'bare single',
          'a durable write beside a bare commit',
        ),
        row('group commit, compared with single writes', 'group', 'single', 'shared commits beside single ones'),
        row('group commit, compared with one bare transaction', 'group', 'bare ended'),
        row('write-behind, growing items, compared with one bare transaction', 'growing', 'bare growing'),
        row('write-behind, finished items, compared with one bare transaction', 'ended', 'bare ended'),
      ];
      const plot = {
        name: 'store',
        title: 'Durable writes per second',
        unit: 'rows/s',
        series: ['rows/s'],
        groups: ways.map((way) => ({ label: way, values: [figure(way)] })),
      };
      return { rows, plots: [plot] };
    } finally {
      await host.stop();
    }
  },
};
