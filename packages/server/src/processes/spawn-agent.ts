import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Guardian } from './guardian.ts';
import type { ProcessLog } from './process-log.ts';
import { createProcessMarker, type MarkName, type ProcessCommand, type ProcessMarker } from './process-marker.ts';
import type { Marks } from './process-table.ts';
import { sweepMarked } from './sweep-marked.ts';
import type { StartedCommand, WaitingShell } from './waiting-shell.ts';

export type AgentCommand = ProcessCommand & {
  /** Identifies the agent. Left out for the programs that agents and users run. */
  readonly agent?: string;
};

export type AgentExit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type AgentProcess = {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when the process is gone and its output is read. Never rejects. */
  readonly exited: Promise<AgentExit>;
  readonly isRunning: boolean;
  /** How many bytes of its output have been read. */
  readonly outputBytes: number;
  /** The end of its stderr output. */
  stderrTail(): string;
  /** Ends it, its group and everything it started. Resolves when nothing is left, and never throws. */
  kill(): Promise<void>;
};

export type AgentSpawner = {
  /** Rejects with Node's own error (ENOENT, EACCES …) if the program can't be started. */
  spawn(command: AgentCommand): Promise<AgentProcess>;
  /** Ends every process it started. */
  close(): Promise<void>;
};

export type AgentSpawnerOptions = {
  readonly guardian?: Guardian;
  /** Shared by everything that starts processes in this server. */
  readonly marker?: ProcessMarker;
  readonly markName?: MarkName;
  /** Becomes the next agent, which then starts faster. Ends with the spawner. */
  readonly shell?: WaitingShell;
  readonly log: ProcessLog;
  /** How long a process may take to end after SIGTERM, before SIGKILL. */
  readonly graceMs?: number;
  /** How long to wait after an exit for output that a grandchild may keep open. */
  readonly drainMs?: number;
};

const stderrLimit = 16 * 1024;

/** How long Node may take to report the exit of a process that is no longer in the process table. */
const exitMs = 2_000;

/** The only place that starts agents: with argument arrays, in their own process group, and marked. */
export function createAgentSpawner({
  guardian,
  marker = createProcessMarker(guardian),
  markName = 'LIMINAL_AGENT_MARK',
  shell,
  log,
  graceMs = 1_500,
  drainMs = 200,
}: AgentSpawnerOptions): AgentSpawner {
  const running = new Set<AgentProcess>();
  const starting = new Set<Promise<unknown>>();
  let isClosed = false;

  const startNow = async (command: AgentCommand): Promise<StartedCommand> => {
    const program = await marker(command, markName);
    const child = spawn(program.command, [...program.args], {
      cwd: program.cwd,
      env: program.env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    await once(child, 'spawn');
    if (child.pid !== undefined) guardian?.add(child.pid);
    return { child, marks: program.marks };
  };
  const start = async (command: AgentCommand): Promise<AgentProcess> => {
    const isAgent = command.agent !== undefined;
    const { child, marks } = (isAgent && (await shell?.become(command))) || (await startNow(command));
    if (isAgent) shell?.replace(command);
    const agent = watch(child, marks, { graceMs, drainMs });
    running.add(agent);
    log.debug({ pid: agent.pid, command: command.command }, 'agent process started');
    void agent.exited.then(async (exit) => {
      // Whatever an agent leaves behind when it dies must be ended.
      await agent.kill();
      guardian?.drop(agent.pid);
      running.delete(agent);
      log.debug({ pid: agent.pid, ...exit }, 'agent process ended');
    });
    return agent;
  };

  return {
    async spawn(command) {
      if (isClosed) throw new Error('The server is shutting down');
      const started = start(command);
      starting.add(started);
      return started.finally(() => starting.delete(started));
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(starting);
      await shell?.close();
      await Promise.all([...running].map((agent) => agent.kill()));
    },
  };
}

function watch(
  child: ChildProcessWithoutNullStreams,
  marks: Marks,
  { graceMs, drainMs }: { readonly graceMs: number; readonly drainMs: number },
): AgentProcess {
  const pid = child.pid;
  if (pid === undefined) throw new Error('A started process has a pid');
  const tail = createTextTail(stderrLimit);
  child.stderr.setEncoding('utf8').on('data', (text: string) => tail.push(text));
  // Writing to a dead process fails with EPIPE. The exit event reports the end.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {});

  let isRunning = true;
  const gone = once(child, 'exit');
  const exited = new Promise<AgentExit>((resolve) => {
    child.once('exit', (code, signal) => {
      isRunning = false;
      const drained = setTimeout(() => resolve({ code, signal }), drainMs);
      child.once('close', () => {
        clearTimeout(drained);
        resolve({ code, signal });
      });
    });
  });

  let killed: Promise<void> | undefined;
  return {
    pid,
    stdin: child.stdin,
    stdout: child.stdout,
    exited,
    get isRunning() {
      return isRunning;
    },
    get outputBytes() {
      // A pipe to a child is a Node socket, but the types don't say so.
      return child.stdout instanceof Socket ? child.stdout.bytesRead : 0;
    },
    stderrTail: () => tail.read(),
    kill() {
      killed ??= sweepMarked({ leader: pid, ...marks }, graceMs).then(async () => {
        // The process table shows the end before Node does. Code that runs after a kill relies on all listeners having
        // been notified. The wait is limited, because some processes can't be killed.
        const longest = wait(exitMs, undefined, { ref: false });
        await Promise.race([gone, longest]);
        for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
        await Promise.race([exited, longest]);
      });
      return killed;
    },
  };
}

type TextTail = { push(text: string): void; read(): string };

/** Keeps the last `limit` characters of a stream, so an agent's last output needs bounded memory. */
export function createTextTail(limit: number): TextTail {
  let kept = '';
  return {
    push(text) {
      kept += text;
      // Cutting at twice the limit keeps the cost per character constant.
      if (kept.length > 2 * limit) kept = kept.slice(-limit);
    },
    read: () => (kept.length > limit ? kept.slice(-limit) : kept),
  };
}
