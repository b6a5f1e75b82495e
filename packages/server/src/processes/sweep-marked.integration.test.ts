import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { livingProcesses } from './testing/list-processes.ts';
import { readPs } from './ps-table.ts';
import { sweepMarked } from './sweep-marked.ts';
import { psFromProc } from './testing/ps-from-proc.ts';

const hidden = 'keeps-its-environment-to-itself';
const idle = 'setInterval(() => {}, 1000)';

/** An agent, a child that called `setsid`, and one that also lost its parent. */
const agentScript = `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', ${JSON.stringify(idle)}, '${hidden}'], { detached: true, stdio: 'ignore' });
  const orphaning = \`const { spawn } = require('node:child_process');
    const orphan = spawn(process.execPath, ['-e', ${JSON.stringify(idle)}], { detached: true, stdio: 'ignore' });
    orphan.unref();
    console.log(orphan.pid);\`;
  const parent = spawn(process.execPath, ['-e', orphaning], { stdio: ['ignore', 'pipe', 'ignore'] });
  let orphan = '';
  parent.stdout.on('data', (text) => (orphan += text));
  parent.on('close', () => console.log(JSON.stringify([child.pid, Number(orphan)])));
  ${idle}`;

async function startAgent() {
  const mark = `LIMINAL_AGENT_MARK=${randomUUID()}`;
  const agent = spawn(process.execPath, ['-e', agentScript], {
    detached: true,
    env: Object.fromEntries([mark.split('=')]),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (agent.pid === undefined) throw new Error('no agent');
  for await (const text of createInterface({ input: agent.stdout }))
    return { leader: agent.pid, mark, pids: [agent.pid, ...(JSON.parse(text) as number[])] };
  throw new Error('the agent printed nothing');
}

const living = async (pids: readonly number[]): Promise<number[]> =>
  (await livingProcesses()).map(({ pid }) => pid).filter((pid) => pids.includes(pid));

test.each([
  ['through /proc', undefined],
  ['through ps', () => readPs(() => Promise.resolve(psFromProc()))],
  [
    'through ps that hides an environment',
    () => readPs(() => Promise.resolve(psFromProc((line) => line.includes(hidden)))),
  ],
])('NFR-5: a sweep %s ends the agent and the processes that left its group or lost their parent', async (_, read) => {
  const { leader, mark, pids } = await startAgent();
  expect(await living(pids)).toHaveLength(3);
  await sweepMarked({ leader, mark }, 2_000, read);
  expect(await living(pids)).toEqual([]);
});

test('a sweep ends the group if the system shows no processes', async () => {
  const { leader, mark, pids } = await startAgent();
  await sweepMarked({ leader, mark }, 2_000, () => Promise.resolve(null));
  expect(await living([leader])).toEqual([]);
  await sweepMarked({ leader, mark }, 2_000);
  expect(await living(pids)).toEqual([]);
});
