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

export type AgentCommand = ProcessCommand & {
  /** Which agent this is; left out for what agents and people run beside. */
  readonly agent?: string;
};

export type AgentExit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type AgentProcess = {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves once the process is gone and its output is read; never rejects. */
  readonly exited: Promise<AgentExit>;
  readonly isRunning: boolean;
  /** How many bytes of its output have been read. */
  readonly outputBytes: number;
  /** The last of what it wrote to stderr. */
  stderrTail(): string;
  /** Ends it, its group and everything it started; resolves when nothing is left; never throws. */
  kill(): Promise<void>;
};

export type AgentSpawner = {
  /** Rejects with Node's own error (ENOENT, EACCES …) when the program cannot be started. */
  spawn(command: AgentCommand): Promise<AgentProcess>;
  /** Ends every process it started. */
  close(): Promise<void>;
};

export type AgentSpawnerOptions = {
  readonly guardian?: Guardian;
  /** Shared with everything that starts processes of this server. */
  readonly marker?: ProcessMarker;
  readonly markName?: MarkName;
  readonly log: ProcessLog;
  /** How long a process may take to end when asked to, before it is no longer asked. */
  readonly graceMs?: number;
  /** After an exit, how long to wait for output that a grandchild may keep open. */
  readonly drainMs?: number;
};

const stderrLimit = 16 * 1024;

/** How long the exit of a process that the system no longer shows may take to reach us. */
const exitMs = 2_000;

/** The one place where agents are started: argument arrays only, a process group of their own, marked. */
export function createAgentSpawner({
  guardian,
  marker = createProcessMarker(guardian),
  markName = 'LIMINAL_AGENT_MARK',
  log,
  graceMs = 1_500,
  drainMs = 200,
}: AgentSpawnerOptions): AgentSpawner {
  const running = new Set<AgentProcess>();

  return {
    async spawn(command) {
      const program = await marker(command, markName);
      const child = spawn(program.command, [...program.args], {
        cwd: program.cwd,
        env: program.env,
        detached: true,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      await once(child, 'spawn');
      const agent = watch(child, program.marks, { graceMs, drainMs });
      guardian?.add(agent.pid);
      running.add(agent);
      log.debug({ pid: agent.pid, command: command.command }, 'agent process started');
      void agent.exited.then(async (exit) => {
        // What an agent leaves behind when it dies must not live on.
        await agent.kill();
        guardian?.drop(agent.pid);
        running.delete(agent);
        log.debug({ pid: agent.pid, ...exit }, 'agent process ended');
      });
      return agent;
    },
    async close() {
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
  // A write to a process that is gone ends in EPIPE; the exit event reports it.
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
      // A pipe to a child is a socket of Node's; the types do not say so.
      return child.stdout instanceof Socket ? child.stdout.bytesRead : 0;
    },
    stderrTail: () => tail.read(),
    kill() {
      killed ??= sweepMarked({ leader: pid, ...marks }, graceMs).then(async () => {
        // The process table knows of the end before Node does. Whoever goes on after a kill relies on everybody having
        // learned of it; only a process that cannot be ended at all is not waited for.
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

/** Keeps the last `limit` characters of a stream, so an agent's last words cost bounded memory. */
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
