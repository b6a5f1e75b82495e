import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
/** The source of the server's main file, which starts three times slower than what is built of it. */
export const sourceMain = join(root, 'packages/server/src/compose/main.ts');
/** The main file that `npm start` runs. `scripts/tests/build-programs.mjs` builds it before the tests. */
export const builtMain = join(root, 'packages/server/dist/main.js');
/** A main file of tests, built too: `name` is its path below packages/server/src. */
export const builtTestMain = (name: string): string => join(root, 'packages/stand-ins/dist', `${name}.js`);

export type Ready = {
  readonly event: 'ready';
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly version: string;
  readonly pid: number;
};

export type ProgramOptions = {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Only `env`, without the variables of this process: agents then get nothing that one run by hand doesn't get. */
  readonly isolated?: boolean;
  /** Kept after the end if given; a fresh one is removed. */
  readonly dataDir?: string;
  /** A main file other than the server's own, for a program with a test's own agents. */
  readonly main?: string;
  /** Starts it through npm, as a user does; otherwise Node runs the server's main file directly. */
  readonly viaNpm?: boolean;
  /** A command that runs the program in its own environment, such as `nsenter … --`. */
  readonly within?: readonly string[];
};

export type Program = {
  readonly child: ChildProcess;
  readonly dataDir: string;
  /** Resolves with the ready line; rejects with the stderr output when the program exits first. */
  readonly ready: Promise<Ready>;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  stdout(): string;
  stderr(): string;
  /** Stops it and waits; removes its own data directory. */
  stop(signal?: NodeJS.Signals): Promise<void>;
};

/** Runs Liminal Builder itself, in its own data directory, for tests and benchmarks. */
export function startProgram({
  args = [],
  env = {},
  isolated = false,
  dataDir,
  main = builtMain,
  viaNpm = false,
  within = [],
}: ProgramOptions = {}): Program {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'liminal-data-'));
  const flags = ['--json', '--port', '0', '--data-dir', folder, ...args];
  const program = viaNpm ? ['npm', 'start', '--silent', '--'] : [process.execPath, main];
  const [command = process.execPath, ...before] = [...within, ...program];
  const child = spawn(command, [...before, ...flags], {
    cwd: root,
    env: isolated ? { ...env } : { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, errors] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const exited = once(child, 'exit').then(
    ([code, signal]) => ({ code, signal }) as { code: number | null; signal: NodeJS.Signals | null },
  );
  const ready = new Promise<Ready>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      out += `${line}\n`;
      if (line.startsWith('{"event":"ready"')) resolve(JSON.parse(line) as Ready);
    });
    void exited.then(({ code }) => reject(new Error(`The program ended with ${code} before it was ready: ${errors}`)));
  });
  // A caller that doesn't ask for it needn't handle its failure.
  ready.catch(() => {});
  return {
    child,
    dataDir: folder,
    ready,
    exited,
    stdout: () => out,
    stderr: () => errors,
    async stop(signal = 'SIGTERM') {
      // npm forwards signals late or not at all, so the signal goes to the server's own pid.
      const pid = viaNpm ? (await ready.catch(() => null))?.pid : child.pid;
      if (child.exitCode === null && child.signalCode === null && pid !== undefined) process.kill(pid, signal);
      await exited;
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
