import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { builtMain } from '@liminal/stand-ins/testing/start-program';
import type { Bench, Mode, Row } from '../bench.ts';
import { budgets } from '../budgets.ts';
import { benchFolder, startHost } from '../host/start-host.ts';
import type { Tidied, Waits } from '../jobs/beside-writes-job.ts';
import { fillStore, itemsOfTurn, projectId, sessionId, type StoreSize } from './fill-store.ts';
import { ask, firstOfList, type Served, startOver } from './measure-program.ts';
import type { Asked } from '../processes/start-process.ts';
import { median, noiseOf, quantile } from '../statistics/quantile.ts';

const job = new URL('../jobs/beside-writes-job.ts', import.meta.url);
const shape = { turnsOfEach: 20, sessionsOfProject: 500 };
const sizes: Record<Mode, Record<'small' | 'large', StoreSize>> = {
  quick: { small: { ...shape, sessions: 50 }, large: { ...shape, sessions: 1_000 } },
  full: { small: { ...shape, sessions: 500 }, large: { ...shape, sessions: 10_000 } },
};
/** A rare word, a common one, starts of words, two words, a phrase, no match. */
const queries = ['encapsulation', 'the', 'plug', 'serve', 'server request', '"content type"', 'xyzzyx'];
/** How much of the year of sessions is past its retention. */
const oldDays = 335;

type Kind = 'empty' | 'small' | 'large';
type Times = Record<Kind, number[]>;
const noTimes = (): Times => ({ empty: [], small: [], large: [] });

async function starts(dirOf: (kind: Kind) => string, cache: string, rounds: number): Promise<Times> {
  const found = noTimes();
  for (let round = -1; round < rounds; round += 1) {
    for (const kind of ['empty', 'large'] as const) {
      const { program, ms } = await startOver(dirOf(kind), cache);
      await program.stop();
      if (round >= 0) found[kind].push(ms);
    }
  }
  return found;
}

type Answers = Record<'list' | 'first' | 'search' | 'open', Times>;

/** Both servers run all the time and get requests in turns. */
async function answers(of: Record<'small' | 'large', Served>, size: typeof sizes.full, rounds: number) {
  const found: Answers = { list: noTimes(), first: noTimes(), search: noTimes(), open: noTimes() };
  for (let round = -1; round < rounds; round += 1) {
    for (const kind of ['small', 'large'] as const) {
      const [served, { sessions }] = [of[kind], size[kind]];
      const keep = (what: keyof Answers, ms: number) => round >= 0 && found[what][kind].push(ms);
      const list = `/api/session/list?projectId=${projectId(0)}`;
      keep('list', (await ask(served, list)).ms);
      keep('first', await firstOfList(served));
      for (const query of queries)
        keep('search', (await ask(served, `/api/search?q=${encodeURIComponent(query)}&limit=40`)).ms);
      // A session that hasn't been opened yet, from anywhere in the store.
      const opened = sessionId(Math.floor(((round + 1.5) / (rounds + 1)) * sessions));
      keep('open', (await ask(served, `/api/session/${opened}/history`)).ms);
    }
  }
  return found;
}

async function backUp(dataDir: string, file: string): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [builtMain, 'backup', file, '--data-dir', dataDir], { stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error(`The backup ended with ${code}.`);
  return (performance.now() - began) / 1000;
}

/** How long writes wait at rest and during maintenance. */
async function houseKeeping(dataDir: string, file: string): Promise<{ rows: Row[]; remarks: string[] }> {
  const host = await startHost(job);
  try {
    return await besideWrites(host, dataDir, file);
  } finally {
    await host.stop();
  }
}

async function besideWrites(host: Asked, dataDir: string, file: string): Promise<{ rows: Row[]; remarks: string[] }> {
  const writes = async (until: () => Promise<unknown>): Promise<Waits> => {
    const writing = host.ask<Waits>('write');
    await until();
    await host.ask('enough');
    return writing;
  };
  await host.ask('open', join(dataDir, 'liminal.sqlite'));
  const atRest = await writes(() => wait(10_000));
  let seconds = 0;
  const backup = await writes(async () => (seconds = await backUp(dataDir, file)));
  const after = await writes(() => wait(3_000));
  const before = new Date(Date.now() - oldDays * 86_400_000).toISOString();
  const tidied = await host.ask<Tidied>('writeBesideTidy', before);
  const whole = { ours: [...backup.ours, ...after.ours], bare: [...backup.bare, ...after.bare] };
  return {
    rows: [
      ...waitRows('a write at rest', atRest, false),
      ...waitRows('a write during retention', tidied),
      ...waitRows('a write during a backup', whole),
    ],
    remarks: [
      `Retention removed ${tidied.outputs.toLocaleString('en')} outputs during ${tidied.ours.length.toLocaleString('en')} writes. The backup took ${seconds.toFixed(1)} s, with ${backup.ours.length.toLocaleString('en')} writes.`,
    ],
  };
}

/** Beside bare commits on the same disk in the same seconds. */
function waitRows(measure: string, { ours, bare }: Waits, hasBudget = true): Row[] {
  const [longest, longestBare] = [Math.max(...ours), Math.max(...bare)];
  const { rule } = budgets['no write waits for house-keeping'];
  // A miss by the disk itself stays a miss, but the row says so.
  const byDisk = longestBare > rule.limit ? ` (a bare commit on this disk took ${Math.round(longestBare)} ms)` : '';
  const p99: Row = {
    measure: `${measure}: P99`,
    value: quantile(ours, 0.99),
    unit: 'ms',
    baseline: quantile(bare, 0.99),
    ratio: quantile(ours, 0.99) / quantile(bare, 0.99),
  };
  return [
    p99,
    {
      measure: `${measure}: longest${byDisk}`,
      value: longest,
      unit: 'ms',
      baseline: longestBare,
      ratio: longest / longestBare,
      ...(hasBudget && { budget: 'no write waits for house-keeping' }),
    },
  ];
}

export const storeSize: Bench = {
  name: 'store-size',
  isLong: true,
  title: 'A store after years of use: 10,000 sessions',
  measures: `A store of 10,000 sessions with ${shape.turnsOfEach * itemsOfTurn} items each, 2,000,000 items and 5 GB (quick: 1,000 sessions), filled through the program’s own tables and triggers. The program starts with it; the baseline is an empty store. Then it lists a project of 500 sessions, sends the first part of the full list, searches, and opens sessions that nobody has opened yet; the baseline, alternating with it, is a store of 100,000 items (quick: 10,000). Last, we write an item every 10 ms: at rest, while retention removes a month of output, and while \`liminal backup\` copies everything; the baseline, alternating with it, is a bare \`node:sqlite\` commit of the same row into its own file on the same disk. The store is in the system’s cache as far as it fits.`,
  async run(mode) {
    const folder = benchFolder();
    const dirOf = (kind: Kind): string => join(folder, kind);
    const cache = join(folder, 'cache');
    try {
      for (const kind of ['empty', 'small', 'large'] as const) {
        mkdirSync(dirOf(kind));
        await (await startOver(dirOf(kind), cache)).program.stop();
        if (kind !== 'empty') fillStore(join(dirOf(kind), 'liminal.sqlite'), sizes[mode][kind]);
      }
      const started = await starts(dirOf, cache, mode === 'quick' ? 5 : 15);
      const served = { small: await startOver(dirOf('small'), cache), large: await startOver(dirOf('large'), cache) };
      const found = await answers(served, sizes[mode], mode === 'quick' ? 15 : 40);
      for (const { program } of Object.values(served)) await program.stop();
      const kept = await houseKeeping(dirOf('large'), join(folder, 'backup.sqlite'));
      const bytes = statSync(join(dirOf('large'), 'liminal.sqlite')).size;
      const p95 = (measure: string, { small, large }: Times, hasBudget = true): Row => ({
        measure: `${measure}: P95`,
        value: quantile(large, 0.95),
        unit: 'ms',
        noise: noiseOf(large),
        baseline: quantile(small, 0.95),
        ratio: quantile(large, 0.95) / quantile(small, 0.95),
        ...(hasBudget && { budget: 'a full store answers' }),
      });
      const start: Row = {
        measure: 'start to ready, compared with an empty store',
        value: median(started.large),
        unit: 'ms',
        noise: noiseOf(started.large),
        baseline: median(started.empty),
        ratio: median(started.large) / median(started.empty),
        budget: 'a full store starts',
      };
      return {
        rows: [
          start,
          p95('list of a project', found.list),
          // A small store of a quick run has fewer sessions than the first page.
          p95('first part of the whole list over the socket', found.first, mode === 'full'),
          p95('search', found.search),
          p95('opening a session', found.open),
          ...kept.rows,
        ],
        remarks: [...kept.remarks, `The store has ${(bytes / 1e9).toFixed(2)} GB.`],
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
