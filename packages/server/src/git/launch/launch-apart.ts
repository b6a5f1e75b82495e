import { type ChildProcess, fork } from 'node:child_process';
import { ownEntry } from '../../program/program-files.ts';
import type { Launch, LaunchHandlers } from './launch.ts';
import type { ToLauncher, ToServer } from './launcher-messages.ts';

export type ApartOptions = {
  /** How long the process stays after its last program has ended. */
  readonly idleMs?: number;
};

type Launcher = { readonly child: ChildProcess; readonly running: Map<number, LaunchHandlers> };

/** A small heap limit: the process uses little memory, and only briefly. */
const memory = ['--max-semi-space-size=1', '--max-old-space-size=64'];
const gone = { code: undefined, message: 'the process that starts git ended' };

/**
 * Starts programs through a small helper process, which starts on demand and exits after a while without work. When
 * this process is gone, it ends everything it has started, and then itself.
 */
export function createLaunchApart({ idleMs = 60_000 }: ApartOptions = {}): { launch: Launch; close(): void } {
  let launcher: Launcher | null = null;
  let leaving: NodeJS.Timeout | undefined;
  let lastId = 0;

  const start = (): Launcher => {
    const child = fork(ownEntry('git/launch/launch-process'), [], {
      cwd: '/',
      env: {},
      execArgv: memory,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const started: Launcher = { child, running: new Map() };
    const lost = (): void => {
      if (launcher === started) launcher = null;
      for (const handlers of started.running.values()) handlers.failed(gone);
      started.running.clear();
    };
    child.on('message', (message: ToServer) => hear(started, message));
    child.once('error', lost);
    child.once('exit', lost);
    return started;
  };
  const hear = ({ child, running }: Launcher, message: ToServer): void => {
    const handlers = running.get(message.id);
    if (message.type === 'said') {
      const { buffer, byteOffset, length } = message.chunk;
      return handlers?.[message.stream](Buffer.from(buffer, byteOffset, length));
    }
    running.delete(message.id);
    if (running.size === 0) rest(child);
    if (message.type === 'ended') handlers?.ended(message.code);
    else handlers?.failed(message.error);
  };
  /** An idle helper process must not keep the server alive. */
  const rest = (child: ChildProcess): void => {
    child.unref();
    child.channel?.unref();
    leaving = setTimeout(leave, idleMs).unref();
  };
  const leave = (): void => {
    const left = launcher;
    launcher = null;
    if (left?.child.connected) left.child.disconnect();
  };

  const launch: Launch = (program, handlers) => {
    clearTimeout(leaving);
    launcher ??= start();
    const { child, running } = launcher;
    child.ref();
    child.channel?.ref();
    const id = (lastId += 1);
    running.set(id, handlers);
    const send = (message: ToLauncher): void => {
      // If the process is gone, its exit handler has notified the caller.
      if (child.connected) child.send(message, () => {});
    };
    send({ type: 'start', id, program });
    return { stop: () => send({ type: 'stop', id }) };
  };
  return {
    launch,
    close() {
      clearTimeout(leaving);
      leave();
    },
  };
}

let shared: Launch | null = null;
/** Starts a program through one helper process for this whole process. It ends with it. */
export const launchApart: Launch = (program, handlers) => (shared ??= createLaunchApart().launch)(program, handlers);
