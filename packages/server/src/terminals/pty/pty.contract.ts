import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { silentLog } from '../../processes/testing/silent-log.ts';
import { createProcessMarker } from '../../processes/process-marker.ts';
import { livingProcesses } from '../../processes/testing/list-processes.ts';
import type { Pty, PtyHost } from './pty.ts';
import type { PtyDeps } from './ruspty.ts';

const patience = { timeout: 20_000, interval: 20 };
const size = { cols: 80, rows: 24 };
const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: '/', TERM: 'xterm-256color', PS1: '$ ' };

const living = async (pids: readonly number[]): Promise<number[]> =>
  (await livingProcesses()).map(({ pid }) => pid).filter((pid) => pids.includes(pid));

/** The descriptors of a process that point to a pseudo-terminal. */
function terminalsOpenIn(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/${pid}/fd/${fd}`);
      return /ptmx|\/pts\//.test(target) ? [target] : [];
    } catch {
      return [];
    }
  });
}

/** The behaviour that every terminal implementation must have. */
export function ptyContract(name: string, createHost: (deps: PtyDeps) => Promise<PtyHost | null>): void {
  describe(`a terminal through ${name}`, () => {
    let host: PtyHost;
    let cwd: string;
    const open: Pty[] = [];
    beforeAll(async () => {
      const made = await createHost({ marker: createProcessMarker(), log: silentLog, graceMs: 300 });
      if (!made) throw new Error(`This system has no ${name}`);
      host = made;
      cwd = mkdtempSync(join(tmpdir(), 'liminal-pty-'));
    });
    afterEach(async () => {
      await Promise.all(open.splice(0).map((pty) => pty.kill()));
    });
    afterAll(() => rmSync(cwd, { recursive: true, force: true }));

    const run = async (line: string, args: readonly string[] = []) => {
      const pty = await host.open({ command: '/bin/bash', args: ['--norc', '-c', line, ...args], cwd, env }, size);
      open.push(pty);
      const printed: Buffer[] = [];
      pty.output.on('data', (bytes: Buffer) => printed.push(bytes));
      const text = () => Buffer.concat(printed).toString();
      const printedLine = async (pattern: RegExp): Promise<string> =>
        vi.waitFor(() => {
          const found = pattern.exec(text());
          if (!found) throw new Error(`Printed so far: ${JSON.stringify(text())}`);
          return found[1] ?? '';
        }, patience);
      return { pty, text, bytes: () => Buffer.concat(printed), printedLine };
    };

    it('runs a program with its exact folder, environment and arguments, and reports the exit code', async () => {
      const { pty, text } = await run('pwd; echo "$TERM|$1|$2"; tty -s && echo tty; exit 7', [
        'x',
        "it's",
        '$HOME `a` "b"',
      ]);
      expect(await pty.exited).toEqual({ exitCode: 7 });
      expect(text()).toBe(`${cwd}\r\nxterm-256color|it's|$HOME \`a\` "b"\r\ntty\r\n`);
      expect(pty.isRunning).toBe(false);
    });

    it('TM-3: never reports a program ended by a signal as successful', async () => {
      const { pty } = await run('kill -9 $$');
      const { exitCode } = await pty.exited;
      expect([null, 137]).toContain(exitCode);
    });

    it.each([
      ['a program', { command: '/nowhere/program', cwd: '/' }],
      ['a folder', { command: '/bin/sh', cwd: '/nowhere/at/all' }],
    ])('refuses to start with %s that is missing', async (_, { command, cwd: folder }) => {
      const opened = host.open({ command, args: [], cwd: folder, env }, size);
      const exit = await opened.then(
        (pty) => (pty.output.resume(), pty.exited),
        () => 'refused' as const,
      );
      expect(exit === 'refused' || (exit.exitCode !== null && exit.exitCode > 0)).toBe(true);
    });

    it('accepts input, and reports its size and every resize to the program', async () => {
      const { pty, printedLine } = await run(
        'trap "echo resized" WINCH; stty size; until read -r -t 0.1 line; do stty size; done; echo "got $line"',
      );
      await printedLine(/(24 80)/);
      pty.resize({ cols: 101, rows: 33 });
      await printedLine(/(resized)/);
      await printedLine(/(33 101)/);
      expect(pty.write('hällo\n')).toBe(true);
      await printedLine(/(got hällo)/);
      await pty.exited;
      expect(pty.write('too late')).toBe(false);
      pty.resize({ cols: 10, rows: 10 });
    });

    it('loses no output if it is paused past the end of the program', async () => {
      const { pty, bytes } = await run('stty -opost; head -c 200000 /dev/zero | tr "\\0" "x"; printf end');
      pty.output.pause();
      await new Promise(setImmediate);
      pty.output.resume();
      await vi.waitFor(() => expect(bytes().length).toBeGreaterThan(0), patience);
      pty.output.pause();
      const before = bytes().length;
      await new Promise(setImmediate);
      expect(bytes().length).toBe(before);
      pty.output.resume();
      await pty.exited;
      expect(bytes().length).toBe(200_003);
      expect(bytes().subarray(-3).toString()).toBe('end');
    });

    it('keeps the bytes of every character intact', async () => {
      const { pty, bytes } = await run(String.raw`stty -opost; printf '\360\237\221\215\303\244\377\033[31m'`);
      await pty.exited;
      expect([...bytes()]).toEqual([0xf0, 0x9f, 0x91, 0x8d, 0xc3, 0xa4, 0xff, 0x1b, 0x5b, 0x33, 0x31, 0x6d]);
    });

    it('TM-3: leaves nothing behind when killed, even processes that called setsid, cleared their environment or ignore signals', async () => {
      const { pty, printedLine } = await run(
        `trap '' HUP TERM; (setsid sleep 300 & echo "one=$!"); (env -i setsid sleep 300 & echo "two=$!"); echo ready; sleep 300`,
      );
      await printedLine(/(ready)/);
      const pids = [await printedLine(/one=(\d+)/), await printedLine(/two=(\d+)/)].map(Number);
      await pty.kill();
      await pty.exited;
      expect(await living([pty.pid, ...pids])).toEqual([]);
    });

    it('ends the processes that a shell leaves behind', async () => {
      const { pty, printedLine } = await run('(setsid sleep 300 & echo "left=$!"); exit 3');
      const left = Number(await printedLine(/left=(\d+)/));
      expect(await pty.exited).toEqual({ exitCode: 3 });
      expect(await living([left])).toEqual([]);
    });

    it('leaks no terminal to a process that is started later', async () => {
      const { printedLine } = await run('echo ready; sleep 300');
      await printedLine(/(ready)/);
      const agent = spawn(process.execPath, ['-e', 'process.stdin.resume(); console.log("up")'], {
        stdio: ['pipe', 'pipe', 'inherit'],
        detached: true,
      });
      await new Promise((resolve) => agent.stdout.once('data', resolve));
      const found = terminalsOpenIn(agent.pid ?? 0);
      agent.stdin.end();
      expect(found).toEqual([]);
    });

    it('refuses input beyond a limit if the program doesn’t read it', async () => {
      const { pty, printedLine } = await run('stty raw -echo; echo ready; sleep 300');
      await printedLine(/(ready)/);
      const block = 'x'.repeat(64 * 1024);
      let taken = 0;
      // `script` goes on reading for a while, and faster than this on a busy machine.
      while (taken < 1_000 && pty.write(block)) taken += 1;
      expect(taken).toBeLessThan(1_000);
    });

    it('isn’t misled about its end by a program’s output', async () => {
      const { pty, printedLine } = await run(String.raw`printf '\033]7878\033\\'; read -r line; echo "still $line"`);
      pty.write('here\n');
      await printedLine(/(still here)/);
      expect(await pty.exited).toEqual({ exitCode: 0 });
    });
  });
}
