import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

export type LaunchedProgram = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment. Nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly input: Buffer | string;
  /** Finishes even if the server is killed, because stopping halfway would leave an inconsistent state. */
  readonly finishes?: boolean;
};

export type LaunchError = { readonly code?: string | undefined; readonly message: string };

/** Events of a program. `failed` or `ended` comes once and last. */
export type LaunchHandlers = {
  stdout(chunk: Buffer): void;
  stderr(chunk: Buffer): void;
  /** The program couldn't be started. */
  failed(error: LaunchError): void;
  ended(code: number | null): void;
};

export type Launched = {
  /** Kills it and its process group at once. */
  stop(): void;
};

export type Launch = (program: LaunchedProgram, handlers: LaunchHandlers) => Launched;

export type LaunchedHere = Launched & {
  /** Stops reading its output until `resume`. */
  pause(): void;
  resume(): void;
};

/** How long outputs may stay open and silent after their program has ended. */
const silentMs = 1_000;

/** Starts a program from this process, in its own process group. */
export function launchHere(program: LaunchedProgram, handlers: LaunchHandlers): LaunchedHere {
  const { command, args, cwd, env, input } = program;
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(command, [...args], { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  } catch (error) {
    // Arguments that no program can receive, such as one with a NUL.
    const { code, message } = error as NodeJS.ErrnoException;
    setImmediate(() => handlers.failed({ code, message }));
    return { stop() {}, pause() {}, resume() {} };
  }
  let isPaused = false;
  let hasSpoken = false;
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (chunk: Buffer) => {
      hasSpoken = true;
      handlers[stream](chunk);
    });
  // A program may end without reading all its input. Its exit code says more than the broken pipe.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  let isFailed = false;
  child.once('error', (error: NodeJS.ErrnoException) => {
    isFailed = true;
    handlers.failed({ code: error.code, message: error.message });
  });
  let closing: NodeJS.Timeout | undefined;
  // A process that it left running, such as a hook's daemon, may hold its pipes open for ever. What the program itself
  // wrote must still be read.
  const closeWhenSilent = (): void => {
    hasSpoken = false;
    const look = (): void => {
      if (isPaused || hasSpoken) closeWhenSilent();
      else for (const stream of child.stdio) stream?.destroy();
    };
    // Output that arrived while this process was busy is read before the immediate runs.
    closing = setTimeout(() => setImmediate(look), silentMs);
  };
  child.once('exit', closeWhenSilent);
  child.once('close', (code) => {
    clearTimeout(closing);
    if (!isFailed) handlers.ended(code);
  });
  return {
    stop() {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has already ended.
      }
    },
    pause() {
      isPaused = true;
      child.stdout.pause();
    },
    resume() {
      isPaused = false;
      hasSpoken = true;
      child.stdout.resume();
    },
  };
}
