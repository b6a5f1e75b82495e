import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findFamily } from '../../../processes/testing/list-processes.ts';
import { silentLog } from '../../../processes/testing/silent-log.ts';
import { type AgentSpawner, createAgentSpawner } from '../../../processes/spawn-agent.ts';
import { createTerminals, type Terminals } from './terminals.ts';

let root = '';
let spawner: AgentSpawner;
let terminals: Terminals;
let heard = '';
const mark = `LIMINAL_SERVER_MARK=${randomUUID()}`;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'liminal-terminals-')));
  const guardian = { mark, add: () => {}, drop: () => {}, close: () => Promise.resolve() };
  spawner = createAgentSpawner({ guardian, log: silentLog, graceMs: 200 });
  heard = '';
  terminals = createTerminals({
    spawner,
    root,
    env: { PATH: process.env['PATH'] ?? '', OWN: 'ours' },
    newId: randomUUID,
    onOutput: (_, text) => void (heard += text),
  });
});
afterEach(async () => {
  await terminals.close();
  await spawner.close();
  rmSync(root, { recursive: true });
});

const run = async (params: object): Promise<{ terminalId: string; exit: unknown; output: unknown }> => {
  const { terminalId } = (await terminals.request('terminal/create', params)) as { terminalId: string };
  const exit = await terminals.request('terminal/wait_for_exit', { terminalId });
  return { terminalId, exit, output: await terminals.request('terminal/output', { terminalId }) };
};

test('runs a command with unchanged arguments, both outputs in order', async () => {
  const script = 'process.stdout.write("out " + process.argv[1]); process.stderr.write(" err " + process.env.GIVEN)';
  const args = ['-e', script, '$HOME "two words"; ls'];
  const { exit, output } = await run({ command: process.execPath, args, env: [{ name: 'GIVEN', value: 'given' }] });
  expect(exit).toEqual({ exitCode: 0, signal: null });
  const text = 'out $HOME "two words"; ls err given';
  expect(output).toEqual({ output: text, truncated: false, exitStatus: { exitCode: 0, signal: null } });
  expect(heard).toBe(text);
});

test('runs a command given as one line in a shell', async () => {
  const { exit, output } = await run({ command: 'echo $OWN; nope 2>/dev/null; exit 3' });
  expect(exit).toEqual({ exitCode: 3, signal: null });
  expect(output).toMatchObject({ output: 'ours\n' });
});

test('keeps only the end of a long output, never half a character', async () => {
  const { output } = await run({ command: 'printf', args: ['ääää'], outputByteLimit: 5 });
  expect(output).toMatchObject({ output: 'ää', truncated: true });
});

test('runs a command only inside the project folder, symlinks resolved', async () => {
  mkdirSync(join(root, 'sub'));
  symlinkSync('/', join(root, 'link'));
  expect((await run({ command: 'pwd', cwd: join(root, 'sub') })).output).toMatchObject({ output: `${root}/sub\n` });
  for (const cwd of ['/', `${root}/..`, join(root, 'link'), join(root, 'link/etc')])
    await expect(terminals.request('terminal/create', { command: 'pwd', cwd })).rejects.toMatchObject({ code: -32602 });
  const missing = { command: 'pwd', cwd: join(root, 'none') };
  await expect(terminals.request('terminal/create', missing)).rejects.toMatchObject({ code: -32002 });
});

test('kill ends a terminal and keeps its output; release forgets it; unknown ones are -32002', async () => {
  const created = await terminals.request('terminal/create', { command: 'echo begun; sleep 60' });
  await vi.waitFor(() => expect(heard).toBe('begun\n'));
  await terminals.request('terminal/kill', created);
  expect(await terminals.request('terminal/wait_for_exit', created)).toMatchObject({ signal: 'SIGTERM' });
  expect(await terminals.request('terminal/output', created)).toMatchObject({ output: 'begun\n' });
  await terminals.request('terminal/release', created);
  await expect(terminals.request('terminal/output', created)).rejects.toMatchObject({ code: -32002 });
});

test('reports a missing program, and opens no terminal without a command', async () => {
  const { exit, output } = await run({ command: 'no-such-program', args: ['x'] });
  expect(exit).toMatchObject({ exitCode: 127 });
  expect(output).toMatchObject({ output: expect.stringMatching(/not found/) as string });
  await expect(terminals.request('terminal/create', {})).rejects.toMatchObject({ code: -32602 });
  await expect(terminals.request('terminal/dance', {})).rejects.toMatchObject({ code: -32601 });
});

test('close ends every terminal, children included', async () => {
  await terminals.request('terminal/create', { command: 'sleep 60 & sleep 60; true' });
  await vi.waitFor(async () => expect((await findFamily({ mark })).length).toBeGreaterThan(1));
  await terminals.close();
  await vi.waitFor(async () => expect(await findFamily({ mark })).toEqual([]));
});
