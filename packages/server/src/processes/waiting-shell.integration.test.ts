import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProcessMarker } from './process-marker.ts';
import { livingProcesses } from './testing/list-processes.ts';
import { createWaitingShell, type WaitingShell } from './waiting-shell.ts';

const like = { command: process.execPath, args: [], cwd: '/', env: { PATH: '/bin', OPENAI_API_KEY: 'secret' } };
const url = (file: string): string => new URL(file, import.meta.url).href;
let shell: WaitingShell;
beforeEach(async () => {
  shell = createWaitingShell({ marker: createProcessMarker(), agentFirstMs: 0 });
  await wait();
});
afterEach(() => shell.close());

async function wait(): Promise<void> {
  shell.replace(like);
  await expect.poll(() => shell.isWaiting).toBe(true);
}

/** By its command line: a process that runs tests may have other children. */
const isShell = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('waiting-shell.sh');
  } catch {
    return false;
  }
};
const pidOfShell = async (parent = process.pid): Promise<number | undefined> =>
  (await livingProcesses()).find(({ pid, parent: of }) => of === parent && isShell(pid))?.pid;

const report = `
  const fs = require('node:fs');
  const { LIMINAL_AGENT_MARK, ...env } = process.env;
  const input = fs.readFileSync(0, 'utf8');
  console.log(JSON.stringify({ args: process.argv.slice(1), env, cwd: process.cwd(), input, isMarked: LIMINAL_AGENT_MARK !== undefined }));`;

/** Whatever a command line may contain, without what only an ordinary start can pass on. */
const word = fc.string({ unit: 'grapheme' }).map((given) => given.replaceAll(/[\0\n]/g, ' '));
const name = fc.stringMatching(/^[A-Z0-9_]{0,8}$/).map((end) => `OWN_${end}`);

test('becomes the command exactly as given, and leaves it its input', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(word), fc.dictionary(name, word), async (args, env) => {
      if (!shell.isWaiting) await wait();
      const cwd = realpathSync(tmpdir());
      const given = ['-e', report, '--', ...args].map((line) => line.replaceAll('\n', ' '));
      const started = await shell.become({ command: process.execPath, args: given, cwd, env });
      started?.child.stdin.end('the first words\nof a protocol\n');
      const said: unknown = JSON.parse(started ? await text(started.child.stdout) : 'null');
      expect(said).toEqual({ args, env, cwd, input: 'the first words\nof a protocol\n', isMarked: true });
    }),
    {
      numRuns: 15,
      examples: [[["it's", '"', '$(exit)', '\\', ' a ', '-n', '', 'Á ȁ 中', '*'], { PWD: 'x', SHLVL: '7' }]],
    },
  );
});

test('serves one agent, whose process it is, with the same open files as after an ordinary start', async () => {
  const args = ['-c', 'echo $$; ls /proc/$$/fd'];
  const linesOf = async (output: Readable | undefined) => (output ? await text(output) : '').trim().split('\n');
  const [, ...ordinary] = await linesOf(spawn('/bin/sh', args, { stdio: ['pipe', 'pipe', 'pipe'] }).stdout);
  const started = await shell.become({ ...like, command: '/bin/sh', args });
  expect(shell.isWaiting).toBe(false);
  expect(await shell.become(like)).toBeNull();
  expect(await linesOf(started?.child.stdout)).toEqual([String(started?.child.pid), ...ordinary]);
});

test('holds none of an agent’s own variables while it waits', async () => {
  const pid = await pidOfShell();
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  expect(environment).toContain('PATH=/bin');
  expect(environment.filter((entry) => entry.startsWith('OPENAI_'))).toEqual([]);
});

test('doesn’t become what has to fail with an error of its own', async () => {
  for (const given of [
    { command: '/no/such/program' },
    { command: 'node' },
    { cwd: '/no/such/folder' },
    { args: ['\n'] },
  ])
    expect(await shell.become({ ...like, ...given })).toBeNull();
  expect(shell.isWaiting).toBe(true);
});

test('is no longer used once it is gone', async () => {
  const pid = await pidOfShell();
  process.kill(pid ?? 0, 'SIGKILL');
  await expect.poll(() => shell.isWaiting).toBe(false);
  expect(await shell.become(like)).toBeNull();
});

test('NFR-5: ends when the server is killed, without anybody’s help', async () => {
  const script = `
    const { createWaitingShell } = await import('${url('./waiting-shell.ts')}');
    const { createProcessMarker } = await import('${url('./process-marker.ts')}');
    const shell = createWaitingShell({ marker: createProcessMarker(), agentFirstMs: 0 });
    shell.replace(${JSON.stringify(like)});
    setInterval(() => shell.isWaiting && console.log('waits'), 10);`;
  const server = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(server.stdout, 'data');
  const pid = await pidOfShell(server.pid);
  expect(pid).toBeDefined();
  server.kill('SIGKILL');
  await expect.poll(async () => (await livingProcesses()).some((one) => one.pid === pid)).toBe(false);
});
