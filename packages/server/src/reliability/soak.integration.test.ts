import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtTestMain } from '@liminal/stand-ins/testing/start-program';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createTestRepository } from '../git/testing/test-repository.ts';
import { livingProcesses } from '../processes/testing/list-processes.ts';
import { createRecordedProgram, type RecordedProgram, type Running } from './testing/recorded-program.ts';
import { mebibytes } from './testing/figures.ts';
import { createRandom } from './testing/random.ts';
import { report } from './testing/report.ts';
import { isGrowing, type Sample, slopeOf } from './testing/slope.ts';
import { beginLife } from './testing/soak-life.ts';
import { isTorture, patience, seed, testTimeout } from './testing/torture.ts';

const minutes = Number(process.env['LIMINAL_SOAK_MINUTES'] ?? 45);
/** The short form for every `npm test`, enough to check that this suite works. */
const shortActs = 8;
/** The time between two samples. */
const sampleMs = isTorture ? 20_000 : 0;
const looksOfSample = isTorture ? 5 : 1;
/** Caches fill and code is compiled at first, which is no leak. */
const warmUpShare = 1 / 3;
/** What a cache that is still filling may take in a long run. A short run is all warm-up. */
const allowed = isTorture
  ? { memory: 3 * 1024 * 1024, descriptors: 2, processes: 2 }
  : { memory: 64 * 1024 * 1024, descriptors: 200, processes: 60 };

type Measure = keyof typeof allowed;
const measures = Object.keys(allowed) as Measure[];

let recorded: RecordedProgram | null = null;
const repository = createTestRepository();
afterAll(async () => {
  await recorded?.cleanup();
  repository.cleanup();
});

const main = builtTestMain('reliability/testing/soak-main');

/** After an agent dies, the server searches all processes. The lowest of several samples leaves that out. */
async function lookOften(running: Running, file: string): Promise<Record<Measure, number>> {
  const looks: Record<Measure, number>[] = [];
  for (let times = 0; times < looksOfSample; times += 1) looks.push(await look(running, file));
  const least = (measure: Measure) => Math.min(...looks.map((each) => each[measure]));
  return { memory: least('memory'), descriptors: least('descriptors'), processes: least('processes') };
}

/** The server's memory after garbage collection, its open descriptors, and the number of its processes. */
async function look({ program }: Running, file: string): Promise<Record<Measure, number>> {
  const pid = program.child.pid ?? 0;
  const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []);
  const before = lines().length;
  process.kill(pid, 'SIGUSR2');
  const memory = await vi.waitFor(() => {
    const found = lines();
    expect(found.length).toBeGreaterThan(before);
    return Number(found.at(-1));
  }, patience);
  const all = await livingProcesses();
  const family = new Set([pid]);
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const { pid: child, parent } of all) if (family.has(parent)) family.add(child);
  }
  return { memory, descriptors: readdirSync(`/proc/${pid}/fd`).length, processes: family.size };
}

describe('a long run', () => {
  it(
    `uses no more memory, descriptors or processes at the end than after its start (seed ${seed})`,
    async () => {
      recorded = createRecordedProgram(main);
      const file = join(recorded.dataDir, '..', 'memory.txt');
      repository.put('first.txt', 'one\n');
      repository.commit();
      // Agents are put to sleep within seconds, so sleeping and waking is part of the run.
      const running = await recorded.start({ SOAK_FILE: file, LIMINAL_IDLE_MINUTES: '0.05' });
      const life = await beginLife(running, repository.dir, createRandom(seed));
      const samples: Record<Measure, Sample[]> = { memory: [], descriptors: [], processes: [] };
      const began = performance.now();
      const minute = () => (performance.now() - began) / 60_000;
      const count = () => Object.values(life.acts).reduce((sum, each) => sum + each, 0);
      const isOver = () => (isTorture ? minute() >= minutes : count() >= shortActs);
      for (let lastLook = -Infinity; !isOver();) {
        await life.act();
        if (performance.now() - lastLook < sampleMs) continue;
        lastLook = performance.now();
        const looked = await lookOften(running, file);
        for (const measure of measures) samples[measure].push({ minute: minute(), value: looked[measure] });
      }
      const lasted = minute();
      const settled = (measure: Measure) => samples[measure].slice(Math.floor(samples[measure].length * warmUpShare));
      const shown = measures.map((measure) => {
        const { slope, error } = slopeOf(settled(measure));
        const unit = (value: number) => (measure === 'memory' ? mebibytes(value) : value.toFixed(2));
        return `${measure} ${unit(settled(measure).at(-1)?.value ?? 0)} at the end, ${unit(slope * 60)} ± ${unit(error * 60)} an hour`;
      });
      const acts = Object.entries(life.acts).map(([name, times]) => `${name} ${times}`);
      if (isTorture)
        report(
          'Soak',
          'mixed use',
          `${lasted.toFixed(0)} minutes; ${acts.join(', ')}; ${shown.join('; ')} (seed ${seed})`,
        );
      const growing = measures.filter((measure) => isGrowing(slopeOf(settled(measure)), lasted, allowed[measure]));
      expect(growing, shown.join('; ')).toEqual([]);
    },
    isTorture ? (minutes + 15) * 60_000 : testTimeout,
  );
});
