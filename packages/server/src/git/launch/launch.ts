import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

export type LaunchedProgram = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly input: Buffer | string;
  /** Goes on to its end when the server is killed: stopped halfway it would leave something in between. */
  readonly finishes?: boolean;
};

export type LaunchError = { readonly code?: string | undefined; readonly message: string };

/** What a program says and how it ends: `failed` or `ended`, once and last. */
export type LaunchHandlers = {
  stdout(chunk: Buffer): void;
  stderr(chunk: Buffer): void;
  /** It could not be started. */
  failed(error: LaunchError): void;
  ended(code: number | null): void;
};

export type Launched = {
  /** Ends it and everything in its process group at once. */
  stop(): void;
};

export type Launch = (program: LaunchedProgram, handlers: LaunchHandlers) => Launched;

export type LaunchedHere = Launched & {
  /** Its output stays where it is until `resume`. */
  pause(): void;
  resume(): void;
};

/** Starts a program from this very process, in a process group of its own. */
export function launchHere(program: LaunchedProgram, handlers: LaunchHandlers): LaunchedHere {
  const { command, args, cwd, env, input } = program;
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(command, [...args], { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  } catch (error) {
    // Words that no program can be given, such as one with a NUL in it.
    const { code, message } = error as NodeJS.ErrnoException;
    setImmediate(() => handlers.failed({ code, message }));
    return { stop() {}, pause() {}, resume() {} };
  }
  child.stdout.on('data', (chunk: Buffer) => handlers.stdout(chunk));
  child.stderr.on('data', (chunk: Buffer) => handlers.stderr(chunk));
  // A program may end without reading all of its input; how it ended says more than the broken pipe.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  let isFailed = false;
  child.once('error', (error: NodeJS.ErrnoException) => {
    isFailed = true;
    handlers.failed({ code: error.code, message: error.message });
  });
  child.once('close', (code) => {
    if (!isFailed) handlers.ended(code);
  });
  return {
    stop() {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended already.
      }
    },
    pause: () => void child.stdout.pause(),
    resume: () => void child.stdout.resume(),
  };
}
