import type { Pty as Vendor } from '@replit/ruspty';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Guardian } from '../../processes/guardian.ts';
import type { ProcessLog } from '../../processes/process-log.ts';
import type { MarkedCommand, ProcessMarker } from '../../processes/process-marker.ts';
import { sweepMarked } from '../../processes/sweep-marked.ts';
import { createInputQueue } from './input-queue.ts';
import { maxWaitingInput, type Pty, type PtyExit, type PtyHost, type PtySize } from './pty.ts';

export type PtyDeps = {
  readonly guardian?: Guardian;
  readonly marker: ProcessMarker;
  readonly log: ProcessLog;
  readonly graceMs?: number;
};

type Library = { readonly Pty: typeof Vendor };

/** How long Node may take to report the exit of a program that is no longer in the process table. */
const exitMs = 2_000;

/**
 * Pseudo-terminals from a prebuilt native library, or null if it has no build for this system. Unlike others, it leaks
 * no descriptor to processes started later, so no agent can type into a user's shell.
 */
export async function createRusptyHost(deps: PtyDeps): Promise<PtyHost | null> {
  const library = await load();
  if (!library) return null;
  const { guardian, marker, log, graceMs = 1_500 } = deps;
  const running = new Set<Pty>();
  return {
    async open(command, size) {
      const program = await marker(command, 'LIMINAL_TERMINAL_MARK');
      const pty = start(library, program, { size, graceMs });
      guardian?.add(pty.pid);
      running.add(pty);
      log.debug({ pid: pty.pid, command: command.command }, 'terminal started');
      void pty.exited.then((exit) => {
        guardian?.drop(pty.pid);
        running.delete(pty);
        log.debug({ pid: pty.pid, ...exit }, 'terminal ended');
      });
      return pty;
    },
    async close() {
      await Promise.all([...running].map((pty) => pty.kill()));
    },
  };
}

async function load(): Promise<Library | null> {
  // Missing in Node's types.
  const report = process.report as NodeJS.ProcessReport & { excludeNetwork: boolean };
  const before = report.excludeNetwork;
  // The library reads Node's report to detect the C library. With network data in the report, that takes seconds.
  report.excludeNetwork = true;
  try {
    return await import('@replit/ruspty');
  } catch {
    return null;
  } finally {
    report.excludeNetwork = before;
  }
}

function start(
  library: Library,
  { command, args, cwd, env, marks }: MarkedCommand,
  { size, graceMs }: { readonly size: PtySize; readonly graceMs: number },
): Pty {
  const code = Promise.withResolvers<number>();
  const vendor = new library.Pty({
    command,
    args: [...args],
    envs: { ...env },
    dir: cwd,
    size: { ...size },
    onExit: (_error, exitCode) => code.resolve(exitCode),
  });
  const { pid, read: output, write: socket } = vendor;
  tolerateErrors(socket);
  const input = createInputQueue(() => descriptorOf(socket), maxWaitingInput);
  let isRunning = true;
  let swept: Promise<void> | undefined;
  const sweep = () => (swept ??= sweepMarked({ leader: pid, ...marks }, graceMs));
  const end = async () => {
    isRunning = false;
    input.stop();
    await sweep();
  };
  // The library marks the end of the program in its output, but a program may print the same bytes.
  output.on('synthetic-eof', () => {
    if (!exists(pid)) void end();
  });
  const exited = (async (): Promise<PtyExit> => {
    const ended = once(output, 'close');
    const exitCode = await code.promise;
    await end();
    if (!output.readableEnded) await ended;
    return { exitCode: exitCode < 0 ? null : exitCode };
  })();

  return {
    pid,
    output,
    get isRunning() {
      return isRunning;
    },
    write: (data) => isRunning && input.push(data),
    resize: (next) => void (isRunning && vendor.resize({ ...next })),
    exited,
    async kill() {
      await sweep();
      output.resume();
      await Promise.race([exited, wait(exitMs, undefined, { ref: false })]);
    },
  };
}

/** Undefined after the terminal was closed. Node's types don't expose a stream's descriptor. */
const descriptorOf = (socket: Vendor['write']): number | undefined =>
  (socket as { readonly _handle?: { readonly fd?: number } | null })._handle?.fd;

/** The library throws from an event for every error except the usual end, which would crash the server. */
function tolerateErrors(socket: Vendor['write']): void {
  socket.removeAllListeners('error');
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EINTR' || code === 'EAGAIN') return;
    socket.emit('end');
    socket.destroy();
  });
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
