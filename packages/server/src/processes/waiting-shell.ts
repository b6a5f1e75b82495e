import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { programFolder } from '../program/program-files.ts';
import { agentEnvironment } from './agent-environment.ts';
import type { Guardian } from './guardian.ts';
import type { MarkName, ProcessCommand, ProcessMarker } from './process-marker.ts';
import type { Marks } from './process-table.ts';
import { becoming } from './shell-instructions.ts';

/** A started process that the guardian knows, and how to find what it starts. */
export type StartedCommand = { readonly child: ChildProcessWithoutNullStreams; readonly marks: Marks };

export type WaitingShell = {
  readonly isWaiting: boolean;
  /** Turns the waiting shell into this command. Null if none waits, or if it can't become this one. */
  become(command: ProcessCommand): Promise<StartedCommand | null>;
  /** Soon starts the next shell, with the everyday variables of this command: the next agent probably has the same. */
  replace(like: ProcessCommand): void;
  close(): Promise<void>;
};

export type WaitingShellOptions = {
  readonly marker: ProcessMarker;
  readonly markName?: MarkName;
  readonly guardian?: Guardian;
  /** Leaves the CPU to the agent that has just been started. */
  readonly agentFirstMs?: number;
};

/** `env` is without its marks. */
type Waiting = StartedCommand & { readonly env: ProcessCommand['env'] };

const script = `${programFolder}packages/server/src/processes/waiting-shell.sh`;

/**
 * Keeps one small shell, started and marked ahead, that becomes the next agent. Copying the server's process and marking
 * the copy take several milliseconds of every start, and the server is blocked for most of them.
 */
export function createWaitingShell(options: WaitingShellOptions): WaitingShell {
  const { marker, markName = 'LIMINAL_AGENT_MARK', guardian, agentFirstMs = 1_000 } = options;
  let waiting: Waiting | null = null;
  let starting: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const start = async (like: ProcessCommand): Promise<void> => {
    // Without any agent's own variables: the next agent may be another one, and this one's keys aren't for it.
    const env = agentEnvironment(like.env, { family: 'none' });
    const shell = await marker({ command: '/bin/sh', args: [script], cwd: '/', env }, markName);
    if (isClosed || waiting) return;
    const child = spawn(shell.command, [...shell.args], {
      cwd: shell.cwd,
      env: shell.env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    // A shell that can't be started is only a slower start of the next agent.
    child.once('error', () => {});
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {});
    keepAlive(child, false);
    const { pid } = child;
    if (pid === undefined) return;
    const started = { child, marks: shell.marks, env };
    waiting = started;
    guardian?.add(pid);
    child.once('exit', () => {
      if (waiting !== started) return;
      waiting = null;
      guardian?.drop(pid);
    });
  };

  return {
    get isWaiting() {
      return waiting !== null;
    },
    async become(command) {
      if (waiting === null || !(await canStart(command)) || waiting === null) return null;
      const { child, marks, env } = waiting;
      const instructions = becoming(command, env);
      if (instructions === null) return null;
      waiting = null;
      keepAlive(child, true);
      child.stdin.write(instructions);
      return { child, marks };
    },
    replace(like) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (!isClosed && waiting === null) starting = start(like).catch(() => {});
      }, agentFirstMs).unref();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await starting;
      const left = waiting?.child;
      if (!left || left.exitCode !== null || left.signalCode !== null) return;
      const exited = once(left, 'exit');
      left.kill('SIGKILL');
      await exited;
    },
  };
}

/** Whether this process stays alive for the child. */
function keepAlive(child: ChildProcessWithoutNullStreams, isNeeded: boolean): void {
  const how = isNeeded ? 'ref' : 'unref';
  child[how]();
  // A pipe to a child is a Node socket, but the types don't say so.
  for (const stream of child.stdio) (stream as unknown as { ref?(): void; unref?(): void } | null)?.[how]?.();
}

/** A command or folder that doesn't exist must fail with Node's own error, which only an ordinary start has. */
async function canStart({ command, cwd }: ProcessCommand): Promise<boolean> {
  if (!isAbsolute(command) || !isAbsolute(cwd)) return false;
  const found = Promise.all([access(command, constants.X_OK), stat(cwd)]);
  return found.then(
    ([, folder]) => folder.isDirectory(),
    () => false,
  );
}
