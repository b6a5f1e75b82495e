import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtTestMain, type Program, type Ready, startProgram } from '@liminal/stand-ins/testing/start-program';
import { findFamily, livingProcesses } from '../../processes/testing/list-processes.ts';
import { signalQuietly } from '../../processes/sweep-marked.ts';
import { type Api, createApi } from './api.ts';

export type Running = { readonly program: Program; readonly ready: Ready; readonly api: Api; kill(): Promise<void> };

export type RecordedProgram = {
  readonly dataDir: string;
  /** The folder agents work in. */
  readonly folder: string;
  /** Starts the program, or restarts it on the same data. */
  start(env?: Readonly<Record<string, string>>, within?: readonly string[]): Promise<Running>;
  /** Every prompt that reached an agent, over all starts. */
  prompts(): readonly { readonly sessionId: string; readonly text: string }[];
  /** Processes of agents and their tools that are alive now. */
  agents(): Promise<readonly number[]>;
  /** Tools without an environment that are alive now. */
  bareTools(): Promise<readonly number[]>;
  cleanup(): Promise<void>;
};

const usualMain = builtTestMain('reliability/testing/recorded-main');

const linesOf = (path: string): string[] =>
  existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];

/** The whole program in its own process, with an agent that records its prompts. */
export function createRecordedProgram(main = usualMain): RecordedProgram {
  const root = mkdtempSync(join(tmpdir(), 'liminal-recorded-'));
  const [dataDir, folder, file] = [join(root, 'data'), join(root, 'project'), join(root, 'prompts.jsonl')];
  mkdirSync(folder);
  const mark = randomUUID();
  const programs: Program[] = [];
  const bareTools = async () => {
    const started = new Set(linesOf(`${file}.bare`).map(Number));
    return (await livingProcesses()).map(({ pid }) => pid).filter((pid) => started.has(pid));
  };
  return {
    dataDir,
    folder,
    async start(env = {}, within = []) {
      const marks = { RECORDING_FILE: file, RECORDING_MARK: mark };
      const program = startProgram({ dataDir, main, within, env: { ...env, ...marks } });
      programs.push(program);
      const ready = await program.ready;
      return {
        program,
        ready,
        api: createApi(ready),
        async kill() {
          program.child.kill('SIGKILL');
          await program.exited;
        },
      };
    },
    prompts: () => linesOf(file).map((line) => JSON.parse(line)),
    bareTools,
    agents: () => findFamily({ mark: `RECORDED_AGENT_MARK=${mark}` }),
    async cleanup() {
      await Promise.all(programs.map((program) => program.stop('SIGKILL')));
      // After a failed test, one may still be running.
      for (const pid of await bareTools()) signalQuietly(pid, 'SIGKILL');
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
