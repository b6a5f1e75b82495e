import { once } from 'node:events';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findFamily } from './testing/list-processes.ts';
import { silentLog } from './testing/silent-log.ts';
import { createProcessMarker, type ProcessCommand } from './process-marker.ts';
import { type AgentProcess, type AgentSpawner, createAgentSpawner } from './spawn-agent.ts';
import { createWaitingShell, type WaitingShell } from './waiting-shell.ts';

let spawner: AgentSpawner;
let shell: WaitingShell;
beforeEach(() => {
  const marker = createProcessMarker();
  shell = createWaitingShell({ marker, agentFirstMs: 0 });
  spawner = createAgentSpawner({ log: silentLog, graceMs: 300, marker, shell });
});
afterEach(() => spawner.close());

const spawn = (command: Omit<ProcessCommand, 'cwd'>): Promise<AgentProcess> =>
  spawner.spawn({ ...command, agent: 'test', cwd: '/' });
const node = (script: string, env: Record<string, string> = {}): Promise<AgentProcess> =>
  spawn({ command: process.execPath, args: ['-e', script], env: { PATH: process.env['PATH'] ?? '', ...env } });

const firstLine = async (agent: AgentProcess): Promise<string> => {
  for await (const chunk of agent.stdout) return String(chunk).trim();
  return '';
};

const isGone = (pid: number): Promise<boolean> => findFamily({ leader: pid }).then((pids) => pids.length === 0);

/** Starts a grandchild in its own session, runs `then`, and prints the grandchild's pid. */
const withEscapedChild = (then: string): string => `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
  child.unref();
  ${then}
  console.log(child.pid);`;

describe.each([
  ['from the server itself', false],
  ['from a shell that waited for it', true],
])('an agent started %s', (_name, hasShell) => {
  beforeEach(async () => {
    if (!hasShell) return;
    shell.replace({ command: process.execPath, args: [], cwd: '/', env: { PATH: 'of the last one', OLD: '1' } });
    await expect.poll(() => shell.isWaiting).toBe(true);
  });

  test('an agent gets its given environment and its marks, and nothing of ours', async () => {
    vi.stubEnv('LIMINAL_TOKEN', 'canary');
    const agent = await node('console.log(JSON.stringify(process.env))', { HELLO: 'there' });
    const env = JSON.parse(await firstLine(agent)) as Record<string, string>;
    expect(Object.keys(env).sort()).toEqual(['HELLO', 'LIMINAL_AGENT_MARK', 'PATH']);
  });

  test('passes arguments as data, whatever they look like', async () => {
    const agent = await spawn({
      command: process.execPath,
      args: ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--', '$(touch x)', '-rf', 'a b'],
      env: {},
    });
    expect(JSON.parse(await firstLine(agent))).toEqual(['$(touch x)', '-rf', 'a b']);
  });

  test('closing ends a process that is just starting, and starts no more', async () => {
    const starting = node('setInterval(() => {}, 1000)');
    await spawner.close();
    const agent = await starting;
    expect(agent.isRunning).toBe(false);
    expect(await isGone(agent.pid)).toBe(true);
    await expect(node('')).rejects.toThrow('The server is shutting down');
  });

  test('rejects a missing program or folder with its error code, and starts no process', async () => {
    const missing = { command: '/no/such/program', args: [], env: {} };
    await expect(spawn(missing)).rejects.toMatchObject({ code: 'ENOENT' });
    const elsewhere = { command: process.execPath, args: [], env: {}, cwd: '/no/such/folder' };
    await expect(spawner.spawn({ ...elsewhere, agent: 'test' })).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('reports the end of a process with its code and its last output', async () => {
    const agent = await node(`console.error('first'); console.error('out of luck'); process.exitCode = 3`);
    expect(await agent.exited).toEqual({ code: 3, signal: null });
    expect(agent.isRunning).toBe(false);
    expect(agent.stderrTail()).toContain('out of luck');
  });

  test('keeps stderr in bounded memory', async () => {
    const agent = await node(`process.stderr.write('x'.repeat(1_000_000) + 'end')`);
    await agent.exited;
    expect(agent.stderrTail().length).toBe(16 * 1024);
    expect(agent.stderrTail().endsWith('end')).toBe(true);
  });

  test('NFR-5: kill ends a child that called setsid, and an agent that ignores SIGTERM', async () => {
    const agent = await node(withEscapedChild(`process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`));
    const child = Number(await firstLine(agent));
    await agent.kill();
    // It ignored SIGTERM, so it got SIGKILL.
    expect(await agent.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(await isGone(agent.pid)).toBe(true);
    expect(await isGone(child)).toBe(true);
  });

  /** Leaves behind an unmarked process that keeps the agent's output open. */
  const leavingAStranger = `
    const { spawnSync } = require('node:child_process');
    const options = "{ detached: true, env: {}, stdio: ['ignore', 'inherit', 'ignore'] }";
    const idle = "['-e', 'setInterval(() => {}, 1000)']";
    const leave = "const child = require('node:child_process').spawn(process.execPath, " + idle + ', ' + options + ');'
      + 'child.unref(); console.log(child.pid);';
    spawnSync(process.execPath, ['-e', leave], { stdio: ['ignore', 'inherit', 'ignore'] });
    setInterval(() => {}, 1000);`;

  test('notifies listeners of an agent’s end before the caller that killed it continues', async () => {
    const patient = createAgentSpawner({ log: silentLog, graceMs: 300, drainMs: 60_000 });
    // Started by name only, so it gets no limit that would mark what it leaves behind.
    const PATH = dirname(process.execPath);
    const agent = await patient.spawn({ command: 'node', args: ['-e', leavingAStranger], cwd: '/', env: { PATH } });
    const [text] = (await once(agent.stdout, 'data')) as [Buffer];
    const order: string[] = [];
    const ended = agent.exited.then(() => order.push('ended of its end'));
    await agent.kill();
    order.push('killed');
    process.kill(Number(String(text)), 'SIGKILL');
    await ended;
    expect(order).toEqual(['ended of its end', 'killed']);
  });

  test('NFR-5: ends a child that outlives an agent that died by itself', async () => {
    const agent = await node(withEscapedChild(`setTimeout(() => process.exit(1), 50);`));
    const child = Number(await firstLine(agent));
    await agent.exited;
    await vi.waitFor(async () => expect(await isGone(child)).toBe(true), { timeout: 20_000 });
  });
});
