import type { Bench, Row } from '../bench.ts';
import { startHost } from '../host/start-host.ts';
import type { Way } from '../jobs/review-job.ts';
import { reviewInPage } from '../page/review-in-page.ts';
import { median, noiseOf } from '../statistics/quantile.ts';

const job = new URL('../jobs/review-job.ts', import.meta.url);
const ways: readonly Way[] = ['list', 'list by hand', 'keep', 'keep by hand', 'keep with a fresh index'];
const commits = 60;

export const review: Bench = {
  name: 'review',
  title: 'RV-8, CP-1: lists of changes and checkpoints, compared with git by hand',
  isLong: true,
  measures:
    'Repositories of 1,000, 10,000 and 50,000 files (a quick run skips the last), with 10 files edited before each round. A list through the route and a checkpoint are compared with the same git commands run by hand with the same `core.fsync`, and with `read-tree HEAD` into a fresh index plus `add -A`. Then an agent commits 60 times while lists and checkpoints run without a pause. In Chromium, with simulated answers instead of git: from the last byte of an answer to the frame that shows it, for a list of 10,000 files, patches of 5,000 lines and one file of 100,000 lines; and the longest task while opening and scrolling.',
  async run(mode) {
    const host = await startHost(job);
    const rounds = mode === 'quick' ? 7 : 15;
    const rows: Row[] = [];
    try {
      for (const files of mode === 'quick' ? [1_000, 10_000] : [1_000, 10_000, 50_000]) {
        await host.ask('make', { files });
        const found = new Map<Way, number[]>(ways.map((way) => [way, []]));
        for (let round = -1; round < rounds; round += 1) {
          for (const way of ways) {
            const ms = await host.ask<number>('time', { files, way });
            if (round >= 0) found.get(way)?.push(ms);
          }
        }
        const figure = (way: Way) => median(found.get(way) ?? []);
        const row = (measure: string, way: Way, beside: Way, budget: Row['budget']): Row => ({
          measure: `${measure}, ${files.toLocaleString('en')} files`,
          value: figure(way),
          unit: 'ms',
          noise: noiseOf(found.get(way) ?? []),
          baseline: figure(beside),
          ratio: figure(way) / figure(beside),
          ...(budget === undefined ? {} : { budget }),
        });
        rows.push(
          row('list of uncommitted changes', 'list', 'list by hand', 'RV-8 a list of changes near git by hand'),
          row('checkpoint', 'keep', 'keep by hand', 'CP-1 a checkpoint near git by hand'),
          row(
            'checkpoint with a fresh index, compared with ours',
            'keep with a fresh index',
            'keep',
            files === 1_000 ? 'CP-1 faster than a fresh index of 1,000 files' : 'CP-1 faster than a fresh index',
          ),
        );
      }
      const failed = await host.ask<number>('commits', { files: 1_000, rounds: commits });
      rows.push({
        measure: `git commands of an agent that failed, of ${2 * commits}`,
        value: failed,
        unit: '',
        budget: 'CP-1 no command of an agent fails',
      });
      return { rows: [...rows, ...(await reviewInPage(mode))] };
    } finally {
      await host.stop();
    }
  },
};
