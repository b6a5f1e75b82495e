import type { AgentSpawner } from '../processes/spawn-agent.ts';
import { createTextTail } from '../processes/spawn-agent.ts';

const keptOutput = 64 * 1024;
const longestMs = 2 * 60_000;

type ProgramRun = {
  /** The program and its arguments, without a shell. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: string;
};

/** Runs a program of the user to its end. stdout and stderr are merged in order. A signal gives no exit code. */
export async function runProgram(
  spawner: AgentSpawner,
  { args, cwd, env, input }: ProgramRun,
): Promise<{ readonly output: string; readonly exitCode: number | null }> {
  const tail = createTextTail(keptOutput);
  const child = await spawner.spawn({
    command: '/bin/sh',
    args: ['-c', 'exec "$@" 2>&1', 'run', ...args],
    cwd,
    env: { ...env },
  });
  const timer = setTimeout(() => void child.kill(), longestMs);
  child.stdout.setEncoding('utf8').on('data', (text: string) => tail.push(text));
  // A program may end without reading all of its input.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const { code } = await child.exited;
  clearTimeout(timer);
  return { output: tail.read(), exitCode: code };
}
