import { type AgentSpawner, createTextTail } from '../processes/spawn-agent.ts';

export type CommandRun = {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onOutput?: (text: string) => void;
};
/** `exitCode` is null if a signal ended it. */
export type CommandEnd = {
  readonly output: string;
  readonly exitCode: number | null;
  /** Why it was stopped. `trust`: the user withdrew trust from the project, or removed it. */
  readonly stopped: 'time' | 'cancel' | 'trust' | null;
};

const keptOutput = 64 * 1024;
const shortestWaitMs = 200;

/** Runs a command line of the user in its own shell, which ends with the server. Merges stdout and stderr in order. */
export async function runCommand(spawner: AgentSpawner, run: CommandRun): Promise<CommandEnd> {
  const tail = createTextTail(keptOutput);
  let published = 0;
  const child = await spawner.spawn({
    command: '/bin/sh',
    args: ['-c', 'exec 2>&1; eval "$1"', 'setup', run.command],
    cwd: run.cwd,
    env: { ...run.env },
  });
  let stopped: CommandEnd['stopped'] = null;
  const stop = (why: 'time' | 'cancel'): void => {
    stopped ??= why;
    void child.kill();
  };
  const onAbort = () => stop('cancel');
  const timer = setTimeout(() => stop('time'), run.timeoutMs);
  run.signal.addEventListener('abort', onAbort, { once: true });
  if (run.signal.aborted) onAbort();
  child.stdin.end();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    tail.push(text);
    const now = performance.now();
    if (now - published < shortestWaitMs) return;
    published = now;
    run.onOutput?.(tail.read());
  });
  const { code } = await child.exited;
  clearTimeout(timer);
  run.signal.removeEventListener('abort', onAbort);
  return { output: tail.read(), exitCode: code, stopped };
}
