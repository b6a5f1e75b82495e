import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createLaunchApart } from './launch-apart.ts';
import { type Launch, type Launched, type LaunchError, launchHere } from './launch.ts';

const folder = tmpdir();
const env = { PATH: process.env['PATH'] ?? '' };
const apart = createLaunchApart();
afterAll(() => apart.close());

type Ended = { stdout: Buffer; stderr: string; code?: number | null; error?: LaunchError };

function run(launch: Launch, command: string, args: readonly string[], given: { input?: string; cwd?: string } = {}) {
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const ended = (how: Partial<Ended>): void =>
    resolve({ stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString(), ...how });
  const launched: Launched = launch(
    { command, args, cwd: given.cwd ?? folder, env, input: given.input ?? '' },
    {
      stdout: (chunk) => void stdout.push(chunk),
      stderr: (chunk) => void stderr.push(chunk),
      failed: (error) => ended({ error }),
      ended: (code) => ended({ code }),
    },
  );
  return { ended: promise, stop: () => launched.stop(), heard: () => Buffer.concat(stdout).toString() };
}
const isGone = (pid: number): boolean => {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return true;
  }
};
const pidIn = async (heard: () => string): Promise<number> => {
  await expect.poll(heard).toMatch(/^\d+\n/);
  return Number.parseInt(heard(), 10);
};

describe.each<[string, Launch]>([
  ['from the server itself', launchHere],
  ['through the helper process', apart.launch],
])('a program started %s', (_name, launch) => {
  it('reads its input, writes to both outputs and ends with its code', async () => {
    const { ended } = run(launch, 'sh', ['-c', 'cat; echo oops >&2; exit 3'], { input: 'words' });
    expect(await ended).toMatchObject({ stdout: Buffer.from('words'), stderr: 'oops\n', code: 3 });
  });

  it('loses no byte of a long output', async () => {
    const { stdout } = await run(launch, 'sh', ['-c', 'head -c 20000000 /dev/zero']).ended;
    expect([stdout.length, stdout.every((byte) => byte === 0)]).toEqual([20_000_000, true]);
  });

  it('reports that it cannot be started', async () => {
    expect((await run(launch, 'no-such-program', []).ended).error?.code).toBe('ENOENT');
    expect((await run(launch, 'sh', [], { cwd: join(folder, 'no-such-folder') }).ended).error?.code).toBe('ENOENT');
    expect((await run(launch, 'sh', ['a\0b']).ended).error?.code).toBe('ERR_INVALID_ARG_VALUE');
  });

  it('ends with its code and its output while a process that it left running holds its outputs open', async () => {
    const { stdout, code } = await run(launch, 'sh', ['-c', 'sleep 600 & echo $!; exit 3']).ended;
    const left = Number.parseInt(stdout.toString(), 10);
    expect([code, isGone(left)]).toEqual([3, false]);
    process.kill(left, 'SIGKILL');
  });

  it('ends at once with everything it has started', async () => {
    const { ended, stop, heard } = run(launch, 'sh', ['-c', 'sleep 600 & echo $!; wait']);
    const grandchild = await pidIn(heard);
    stop();
    expect((await ended).code).toBeNull();
    await expect.poll(() => isGone(grandchild)).toBe(true);
  });
});

describe('the process that starts programs', () => {
  let own = createLaunchApart();
  afterEach(() => own.close());
  const launcherOf = async (heard: () => string): Promise<number> => {
    const pid = await pidIn(heard);
    const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(parent);
  };
  const waiting = () => run(own.launch, 'sh', ['-c', 'echo $$; exec sleep 600']);

  it('fails its programs when it is killed, and is replaced', async () => {
    own = createLaunchApart();
    const { ended, heard } = waiting();
    process.kill(await launcherOf(heard), 'SIGKILL');
    expect((await ended).error?.message).toContain('ended');
    process.kill(await pidIn(heard), 'SIGKILL');
    expect((await run(own.launch, 'echo', ['again']).ended).stdout.toString()).toBe('again\n');
  });

  it('exits when idle for a while, and starts again on demand', async () => {
    own = createLaunchApart({ idleMs: 1 });
    const { ended, stop, heard } = waiting();
    const launcher = await launcherOf(heard);
    stop();
    await ended;
    await expect.poll(() => isGone(launcher)).toBe(true);
    expect((await run(own.launch, 'echo', ['again']).ended).stdout.toString()).toBe('again\n');
  });

  const startServer = async (...args: string[]) => {
    const main = join(import.meta.dirname, '../testing/launching-server.ts');
    const server = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    const [said] = (await once(server.stdout, 'data')) as [Buffer];
    const child = Number.parseInt(said.toString(), 10);
    expect(existsSync(`/proc/${child}`)).toBe(true);
    return { server, child };
  };

  it('G-5: ends with everything it started when the server is killed', async () => {
    const { server, child } = await startServer();
    server.kill('SIGKILL');
    await expect.poll(() => isGone(child)).toBe(true);
  });

  it('G-5: lets a program finish that must not stop halfway, then exits', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'liminal-finish-'));
    const [goOn, done] = [join(folder, 'go-on'), join(folder, 'done')];
    const { server, child } = await startServer(goOn, done);
    const launcher = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${child}/status`, 'utf8'))?.[1]);
    server.kill('SIGKILL');
    await once(server, 'exit');
    writeFileSync(goOn, '');
    await expect.poll(() => isGone(child)).toBe(true);
    expect(existsSync(done)).toBe(true);
    await expect.poll(() => isGone(launcher)).toBe(true);
    rmSync(folder, { recursive: true });
  });
});
