import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { builtMain, startProgram } from '@liminal/stand-ins/testing/start-program';
import type { Bench, Row } from '../bench.ts';
import { familyMemory, type ProcessMemory, processMemory } from '../processes/process-memory.ts';
import { median, noiseOf } from '../statistics/quantile.ts';

/** The server returns memory to the system when it has been idle for a while. */
const settleMs = 20_000;

async function ofProgram(): Promise<{ server: ProcessMemory; family: ProcessMemory }> {
  const program = startProgram({ main: builtMain });
  try {
    const { pid } = await program.ready;
    await wait(settleMs);
    return { server: processMemory(pid), family: familyMemory(pid) };
  } finally {
    await program.stop();
  }
}

/** Node itself, idle; `file` is an empty module. */
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
  measures: `The program as a user starts it, ${settleMs / 1000} s after it is ready, with nobody connected and no agent running: resident memory as the system counts it. The baseline is Node with an empty file. The guardian is the shell that ends agents when the server is gone.`,
  async run(mode) {
    const folder = mkdtempSync(join(tmpdir(), 'liminal-bench-'));
    const plain = join(folder, 'rest.mjs');
    writeFileSync(plain, 'setInterval(() => {}, 1e6);');
    try {
      const found: Record<'server' | 'family' | 'plain', ProcessMemory[]> = { server: [], family: [], plain: [] };
      for (let round = 0; round < (mode === 'quick' ? 1 : 7); round += 1) {
        const { server, family } = await ofProgram();
        found.server.push(server);
        found.family.push(family);
        found.plain.push(await ofNode(plain));
      }
      const figures = (kind: keyof typeof found, what: keyof ProcessMemory) => found[kind].map((one) => one[what]);
      const row = (measure: string, kind: keyof typeof found, what: keyof ProcessMemory): Row => ({
        measure,
        value: median(figures(kind, what)),
        unit: 'MB',
        noise: noiseOf(figures(kind, what)),
      });
      const rss = row('server: resident', 'server', 'rss');
      const baseline = median(figures('plain', 'rss'));
      return {
        rows: [
          { ...rss, baseline, ratio: rss.value / baseline, budget: 'idle memory' },
          row('server: private', 'server', 'own'),
          row('server and guardian: proportional (PSS)', 'family', 'share'),
          row('Node with an empty module: resident', 'plain', 'rss'),
          row('Node with an empty module: private', 'plain', 'own'),
        ],
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
