import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startProgram } from '@liminal/stand-ins/testing/start-program';
import type { Bench, Row } from '../bench.ts';
import { type ProcessMemory, processMemory } from '../processes/process-memory.ts';
import { median, noiseOf } from '../statistics/quantile.ts';

const settleMs = 4000;

async function ofProgram(): Promise<ProcessMemory> {
  const program = startProgram();
  try {
    const { pid } = await program.ready;
    await wait(settleMs);
    return processMemory(pid);
  } finally {
    await program.stop();
  }
}

/** Node itself, doing nothing; `file` is a module that does nothing either. */
async function ofNode(file: string): Promise<ProcessMemory> {
  const child = spawn(process.execPath, [file], { stdio: 'ignore' });
  try {
    await wait(1000);
    return processMemory(child.pid ?? 0);
  } finally {
    child.kill();
  }
}

export const idleMemory: Bench = {
  name: 'idle-memory',
  title: 'Memory of the idle program',
  measures: `The program as a person starts it, ${settleMs / 1000} s after it is ready, nobody connected: resident memory as the system counts it, beside Node with an empty file.`,
  async run(mode) {
    const folder = mkdtempSync(join(tmpdir(), 'liminal-bench-'));
    const [plain, typed] = ['mjs', 'ts'].map((end) => join(folder, `rest.${end}`)) as [string, string];
    writeFileSync(plain, 'setInterval(() => {}, 1e6);');
    writeFileSync(typed, 'const ms: number = 1e6; setInterval(() => {}, ms);');
    try {
      const found: Record<'ours' | 'plain' | 'typed', ProcessMemory[]> = { ours: [], plain: [], typed: [] };
      for (let round = 0; round < (mode === 'quick' ? 2 : 7); round += 1) {
        found.ours.push(await ofProgram());
        found.plain.push(await ofNode(plain));
        found.typed.push(await ofNode(typed));
      }
      const figures = (kind: keyof typeof found, what: keyof ProcessMemory) => found[kind].map((one) => one[what]);
      const row = (measure: string, kind: keyof typeof found, what: keyof ProcessMemory): Row => ({
        measure,
        value: median(figures(kind, what)),
        unit: 'MB',
        noise: noiseOf(figures(kind, what)),
      });
      const rss = row('resident, the whole program', 'ours', 'rss');
      const baseline = median(figures('plain', 'rss'));
      return {
        rows: [
          { ...rss, baseline, ratio: rss.value / baseline, budget: 'idle memory' },
          row('its own, shared with no other process', 'ours', 'own'),
          row('Node with an empty module: resident', 'plain', 'rss'),
          row('Node with an empty module: its own', 'plain', 'own'),
          row('Node with an empty TypeScript file: resident', 'typed', 'rss'),
        ],
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
