import type { Bench, Row } from '../bench.ts';
import { startHost } from '../host/start-host.ts';
import type { Rest } from '../jobs/rest.ts';
import type { Steps } from '../jobs/worktrees-job.ts';
import { median, noiseOf } from '../statistics/quantile.ts';

const job = new URL('../jobs/worktrees-job.ts', import.meta.url);
const idleCount = 20;
const idle = { periods: 6, periodMs: 10_000 };

const budgets = {
  create: 'WT-2 a worktree near bare git',
  park: 'WT-4 parking near bare git',
  restore: 'WT-4 restoring near bare git',
} as const satisfies Record<keyof Steps, Row['budget']>;

export const worktrees: Bench = {
  name: 'worktrees',
  title: 'WT-2, WT-4, WT-6: worktrees compared with bare git, and idle worktrees',
  isLong: true,
  measures: `A repository of 50,000 files (quick run: 1,000). We create a worktree, edit 10 files, add 10, park it and restore it. The baseline is the smallest set of git commands that keeps these files: \`worktree add\`; \`add\`, \`commit\`, \`worktree remove\`; \`worktree add\`, \`reset\`. They don’t check what they kept before they delete, and don’t keep staging, permissions or ignored files. Then ${idleCount} worktrees with one unused session each: the share of one core the server uses in a minute, its processes and its watches. Their files are small. The baseline is a server without any worktree in the same minute, which begins when all work is done and V8 has collected its garbage.`,
  async run(mode) {
    const files = mode === 'quick' ? 1_000 : 50_000;
    const named = `${files.toLocaleString('en')} files`;
    const rows: Row[] = [];
    const host = await startHost(job);
    try {
      await host.ask('make', { files });
      const found: { readonly ours: Steps; readonly hand: Steps }[] = [];
      for (let round = 0; round < (mode === 'quick' ? 5 : 4); round += 1) found.push(await host.ask('round', {}));
      for (const step of ['create', 'park', 'restore'] as const) {
        const ours = found.map((round) => round.ours[step]);
        const baseline = median(found.map(({ hand }) => hand[step]));
        rows.push({
          measure: `${step} a worktree, ${named}`,
          value: median(ours),
          unit: 'ms',
          noise: noiseOf(ours),
          baseline,
          ratio: median(ours) / baseline,
          budget: budgets[step],
        });
      }
    } finally {
      await host.stop();
    }
    rows.push(...(await measureIdle(files, named)));
    return { rows };
  },
};

async function measureIdle(files: number, named: string): Promise<Row[]> {
  const [host, bare] = [await startHost(job), await startHost(job)];
  try {
    await host.ask('make', { files, small: true });
    await host.ask('occupy', { count: idleCount });
    const [ours, empty] = await Promise.all([host.ask<Rest>('rest', idle), bare.ask<Rest>('rest', idle)]);
    const [value, baseline] = [mean(ours.percents), mean(empty.percents)];
    return [
      {
        measure: `one core, ${idleCount} idle worktrees of ${named}`,
        value,
        unit: '%',
        noise: noiseOf(ours.percents),
        baseline,
        budget: 'WT-6 idle worktrees cost no time',
      },
      {
        measure: 'processes of the server meanwhile',
        value: ours.processes,
        unit: '',
        budget: 'WT-6 idle worktrees need no process',
      },
      {
        measure: 'folders it watches meanwhile',
        value: ours.watches,
        unit: '',
        budget: 'WT-6 idle worktrees need no watch',
      },
    ];
  } finally {
    await host.stop();
    await bare.stop();
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
