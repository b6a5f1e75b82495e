import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtMain, startProgram } from '@liminal/stand-ins/testing/start-program';
import type { Bench, Row } from '../bench.ts';
import { median, noiseOf } from '../statistics/quantile.ts';

/** Milliseconds from the start of the process to its ready line. */
async function start(dataDir: string, cache: string): Promise<number> {
  const began = performance.now();
  const program = startProgram({ main: builtMain, dataDir, env: { NODE_COMPILE_CACHE: cache } });
  try {
    await program.ready;
    return performance.now() - began;
  } finally {
    await program.stop();
  }
}

async function bareNode(): Promise<number> {
  const began = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  return performance.now() - began;
}

export const startUp: Bench = {
  name: 'start-up',
  title: 'Start-up: from the start of the process to ready',
  measures:
    'The first start has a new data directory and no cached compiled code; the second finds both. The baseline is Node starting and doing nothing. All files are in the system’s cache.',
  async run(mode) {
    const found: Record<'first' | 'second' | 'bare', number[]> = { first: [], second: [], bare: [] };
    for (let round = -1; round < (mode === 'quick' ? 2 : 15); round += 1) {
      const folder = mkdtempSync(join(tmpdir(), 'liminal-bench-'));
      const paths = [join(folder, 'data'), join(folder, 'cache')] as const;
      const [first, second, bare] = [await start(...paths), await start(...paths), await bareNode()];
      rmSync(folder, { recursive: true, force: true });
      if (round < 0) continue;
      found.first.push(first);
      found.second.push(second);
      found.bare.push(bare);
    }
    const baseline = median(found.bare);
    const row = (measure: string, kind: 'first' | 'second'): Row => ({
      measure,
      value: median(found[kind]),
      unit: 'ms',
      noise: noiseOf(found[kind]),
      baseline,
      ratio: median(found[kind]) / baseline,
    });
    return { rows: [row('first start', 'first'), row('second start', 'second')] };
  },
};
