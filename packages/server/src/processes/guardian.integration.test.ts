import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, test, vi } from 'vitest';
import { findFamily } from './find-family.ts';
import { startGuardian } from './guardian.ts';
import { silentLog } from './process-log.ts';
import { readProcessTable } from './process-table.ts';

const url = (file: string): string => new URL(file, import.meta.url).href;

/** A stand-in for the server: a guardian, an agent, and a child of the agent that called `setsid`. */
const parentScript = `
  const { startGuardian } = await import('${url('./guardian.ts')}');
  const { createAgentSpawner } = await import('${url('./spawn-agent.ts')}');
  const { silentLog: log } = await import('${url('./process-log.ts')}');
  const guardian = startGuardian({ log });
  const spawner = createAgentSpawner({ guardian, log });
  const agentScript = \`
    process.on('SIGTERM', () => {});
    const child = require('node:child_process').spawn(process.execPath,
      ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
    child.unref();
    console.log(child.pid);
    setInterval(() => {}, 1000);\`;
  const agent = await spawner.spawn({ command: process.execPath, args: ['-e', agentScript], cwd: '/', env: {} });
  agent.stdout.once('data', (line) => console.log(JSON.stringify({ agent: agent.pid, child: Number(line), mark: guardian.mark })));
  process.on('SIGUSR2', async () => { await spawner.close(); await guardian.close(); process.exit(0); });
`;

type Ready = { readonly agent: number; readonly child: number; readonly mark: string };

async function startParent(): Promise<{ parent: ReturnType<typeof spawn>; ready: Ready }> {
  const parent = spawn(process.execPath, ['--input-type=module', '-e', parentScript], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!parent.stdout) throw new Error('no output');
  for await (const line of createInterface({ input: parent.stdout }))
    return { parent, ready: JSON.parse(line) as Ready };
  throw new Error('the parent said nothing');
}

const living = async (pids: readonly number[]): Promise<number[]> =>
  (await readProcessTable()).map(({ pid }) => pid).filter((pid) => pids.includes(pid));

const marked = (mark: string): Promise<number[]> => findFamily({ mark });

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'NFR-5: when the server dies of %s, no agent and no child of one is left after 3 s',
  async (signal) => {
    const { parent, ready } = await startParent();
    expect(await living([ready.agent, ready.child])).toHaveLength(2);
    parent.kill(signal);
    await vi.waitFor(async () => expect(await living([ready.agent, ready.child])).toEqual([]), {
      timeout: 3_000,
      interval: 50,
    });
    expect(await marked(ready.mark)).toEqual([]);
  },
);

test('a clean end leaves neither agents nor the guardian', async () => {
  const { parent, ready } = await startParent();
  const ended = new Promise((resolve) => parent.once('exit', resolve));
  parent.kill('SIGUSR2');
  expect(await ended).toBe(0);
  expect(await living([ready.agent, ready.child])).toEqual([]);
});

test('a guardian that dies is started again, and a clean end of it ends nobody', async () => {
  const guardian = startGuardian({ log: silentLog });
  const group = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
  if (group.pid === undefined) throw new Error('no pid');
  guardian.add(group.pid);
  const guardians = async (): Promise<number[]> =>
    (await readProcessTable())
      .filter((entry) => entry.parent === process.pid && entry.pid !== group.pid)
      .map((e) => e.pid);
  const [first] = await guardians();
  if (first === undefined) throw new Error('no guardian');
  process.kill(first, 'SIGKILL');
  await vi.waitFor(async () => {
    const now = await guardians();
    expect(now).toHaveLength(1);
    expect(now[0]).not.toBe(first);
  });
  await guardian.close();
  expect(await living([group.pid])).toEqual([group.pid]);
  group.kill('SIGKILL');
});
