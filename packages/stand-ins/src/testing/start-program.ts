import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const serverMain = join(root, 'packages/server/src/compose/main.ts');
/** The main file `npm start` runs; set-up has to have built it. */
export const builtMain = join(root, 'packages/server/dist/main.js');

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
  /** Kept after the end when it is given; a fresh one is removed. */
  readonly dataDir?: string;
  /** Another main file than the server's own, for a program with agents of a test's making. */
  readonly main?: string;
  /** As a user starts it; without it Node runs the server's main file directly. */
  readonly viaNpm?: boolean;
  /** A command that becomes the program in surroundings of its own, such as `nsenter … --`. */
  readonly within?: readonly string[];
};

export type Program = {
  readonly child: ChildProcess;
  readonly dataDir: string;
  /** Resolves with the ready line; rejects with what was said on stderr when the program ends before. */
  readonly ready: Promise<Ready>;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  stdout(): string;
  stderr(): string;
  /** Ends it and waits; removes a data directory of its own. */
  stop(signal?: NodeJS.Signals): Promise<void>;
};

/** Runs Liminal Builder itself, in a data directory of its own, for tests and benchmarks. */
export function startProgram({
  args = [],
  env = {},
  dataDir,
  main = serverMain,
  viaNpm = false,
  within = [],
}: ProgramOptions = {}): Program {
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'liminal-data-'));
  const flags = ['--json', '--port', '0', '--data-dir', folder, ...args];
  const program = viaNpm ? ['npm', 'start', '--silent', '--'] : [process.execPath, main];
  const [command = process.execPath, ...before] = [...within, ...program];
  const child = spawn(command, [...before, ...flags], {
    cwd: root,
    env: { ...process.env, ...env },
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
      // npm hands signals on late or not at all: the signal goes to the server's own pid.
      const pid = viaNpm ? (await ready.catch(() => null))?.pid : child.pid;
      if (child.exitCode === null && child.signalCode === null && pid !== undefined) process.kill(pid, signal);
      await exited;
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
