import type { Bench, Row } from '../bench.ts';
import { startHost } from '../host/start-host.ts';
import type { Idle, Steps } from '../jobs/worktrees-job.ts';
import { median, noiseOf } from '../statistics/quantile.ts';

const job = new URL('../jobs/worktrees-job.ts', import.meta.url);
const idleCount = 20;
const idleMs = 10_000;

const budgets = {
  create: 'WT-2 a worktree near bare git',
  park: 'WT-4 parking near bare git',
  restore: 'WT-4 restoring near bare git',
} as const satisfies Record<keyof Steps, Row['budget']>;

export const worktrees: Bench = {
  name: 'worktrees',
  title: 'WT-2, WT-4, WT-6: worktrees compared with bare git, and idle worktrees',
  isLong: true,
  measures: `A repository of 50,000 files (quick run: 1,000). We create a worktree, edit 10 files, add 10, park it and restore it. The baseline is the smallest set of git commands that keeps these files: \`worktree add\`; \`add\`, \`commit\`, \`worktree remove\`; \`worktree add\`, \`reset\`. They don’t check what they kept before they delete, and don’t keep staging, permissions or ignored files. Then ${idleCount} worktrees with one unused session each: the share of one core the server uses in ${idleMs / 1000} s, and its processes. Their files are small.`,
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
    const other = await startHost(job);
    try {
      await other.ask('make', { files, small: true });
      const { percent, processes } = await other.ask<Idle>('idle', { count: idleCount, forMs: idleMs });
      rows.push(
        {
          measure: `share of one core, ${idleCount} idle worktrees of ${named}`,
          value: percent,
          unit: '%',
          budget: 'WT-6 idle worktrees cost no time',
        },
        {
          measure: 'processes of the server meanwhile',
          value: processes,
          unit: '',
          budget: 'WT-6 idle worktrees need no process',
        },
      );
    } finally {
      await other.stop();
    }
    return { rows };
  },
};
