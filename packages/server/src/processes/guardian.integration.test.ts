import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { startGuardian } from './guardian.ts';
import { readPs } from './ps-table.ts';
import { silentLog } from './testing/silent-log.ts';
import { findFamily, livingProcesses } from './testing/list-processes.ts';
import { psFromProc } from './testing/ps-from-proc.ts';

/** On a busy machine, a process may take long to start. */
const patience = { timeout: 15_000, interval: 50 };
const url = (file: string): string => new URL(file, import.meta.url).href;

/** A fake server: a guardian, an agent, and a child of the agent that called `setsid`. */
const parentScript = `
  const { startGuardian } = await import('${url('./guardian.ts')}');
  const { createAgentSpawner } = await import('${url('./spawn-agent.ts')}');
  const { silentLog: log } = await import('${url('./testing/silent-log.ts')}');
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
  throw new Error('the parent printed nothing');
}

const living = async (pids: readonly number[]): Promise<number[]> =>
  (await livingProcesses()).map(({ pid }) => pid).filter((pid) => pids.includes(pid));

const marked = (mark: string): Promise<number[]> => findFamily({ mark });

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'NFR-5: leaves no agent and no child of one 3 s after the server dies of %s',
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

test('NFR-5: finds them through ps if there is no /proc, even one whose environment is hidden', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'liminal-ps-'));
  const ps = `#!${process.execPath}
import(${JSON.stringify(url('./testing/ps-from-proc.ts'))}).then(({ psFromProc }) =>
  console.log(psFromProc((line) => line.includes('hidden-one'))));`;
  writeFileSync(join(folder, 'ps'), ps, { mode: 0o755 });
  const mark = `LIMINAL_SERVER_MARK=${randomUUID()}`;
  const idle = ['-e', 'setInterval(() => {}, 1000)'];
  // In its own group with a child in another, and one that can be found only by its mark.
  const parentOfHidden = `require('node:child_process').spawn(process.execPath, ${JSON.stringify([...idle, 'hidden-one'])},
    { detached: true, stdio: 'ignore' }); setInterval(() => {}, 1000)`;
  const agent = spawn(process.execPath, ['-e', parentOfHidden], { detached: true, stdio: 'ignore', env: {} });
  const marked = spawn(process.execPath, idle, {
    detached: true,
    stdio: 'ignore',
    env: Object.fromEntries([mark.split('=')]),
  });
  const childOf = async (pid = 0): Promise<number[]> =>
    (await livingProcesses()).filter(({ parent }) => parent === pid).map((entry) => entry.pid);
  const [hidden] = await vi.waitFor(async () => {
    const children = await childOf(agent.pid);
    expect(children).toHaveLength(1);
    return children;
  });
  const script = fileURLToPath(new URL('./guardian.sh', import.meta.url));
  const guardian = spawn('/bin/sh', [script, mark, '1', join(folder, 'no-proc')], {
    env: { PATH: `${folder}:${process.env['PATH']}` },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  guardian.stdin.end(`add ${agent.pid}\n`);
  const ended = await new Promise((resolve) => guardian.once('exit', (code, signal) => resolve({ code, signal })));
  // The guardian did not kill itself, although its own command line has the mark.
  expect(ended).toEqual({ code: 0, signal: null });
  expect(await living([agent.pid ?? 0, marked.pid ?? 0, hidden ?? 0])).toEqual([]);
  rmSync(folder, { recursive: true });
});

test('leaves neither agents nor the guardian after a clean shutdown', async () => {
  const { parent, ready } = await startParent();
  const ended = new Promise((resolve) => parent.once('exit', resolve));
  parent.kill('SIGUSR2');
  expect(await ended).toBe(0);
  expect(await living([ready.agent, ready.child])).toEqual([]);
});

test('restarts a guardian that dies, and its clean exit kills nothing', async () => {
  const guardian = startGuardian({ log: silentLog });
  const group = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
  if (group.pid === undefined) throw new Error('no pid');
  guardian.add(group.pid);
  // Files that ran before in this process may have left it other children. A guardian has the mark as an argument.
  const guardians = async (): Promise<number[]> => {
    const table = await readPs(() => Promise.resolve(psFromProc()));
    return (table?.entries ?? []).map(({ pid }) => pid).filter((pid) => table?.isMarked(pid, { mark: guardian.mark }));
  };
  const onlyGuardian = async (): Promise<number> => {
    const [pid, ...others] = await guardians();
    if (pid === undefined || others.length > 0) throw new Error('not one guardian');
    return pid;
  };
  const first = await vi.waitFor(onlyGuardian, patience);
  process.kill(first, 'SIGKILL');
  await vi.waitFor(async () => expect(await onlyGuardian()).not.toBe(first), patience);
  await guardian.close();
  expect(await living([group.pid])).toEqual([group.pid]);
  group.kill('SIGKILL');
});
