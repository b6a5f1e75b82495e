import { EventEmitter } from 'node:events';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import type { AgentCommand, AgentProcess, AgentSpawner } from '../../../processes/spawn-agent.ts';
import { createLineLimit, LineTooLong, maxLineBytes } from '../../kit/line-limit.ts';

/** A process as the SDK expects it: available immediately, though ours starts a moment later. */
export type SdkProcess = EventEmitter & {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly killed: boolean;
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  kill(signal: NodeJS.Signals): boolean;
};

export type StartedProcess = {
  readonly sdk: SdkProcess;
  /** Rejects with Node's own error if the program can't be started. */
  readonly started: Promise<AgentProcess>;
};

/** Starts an agent through our own spawner, in its own group, and adapts it for the SDK. */
export function spawnForSdk(spawner: AgentSpawner, command: AgentCommand): StartedProcess {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const state = { killed: false, exitCode: null as number | null, signalCode: null as NodeJS.Signals | null };
  const started = spawner.spawn(command);

  const sdk = Object.defineProperties(new EventEmitter(), {
    stdin: { value: stdin },
    stdout: { value: stdout },
    killed: { get: () => state.killed },
    exitCode: { get: () => state.exitCode },
    signalCode: { get: () => state.signalCode },
    kill: {
      value: () => {
        state.killed = true;
        // Whatever the SDK's signal, the whole group must end.
        void started.then((agent) => agent.kill()).catch(() => {});
        return true;
      },
    },
  }) as SdkProcess;

  started.then(
    (agent) => {
      stdin.pipe(agent.stdin);
      // The SDK buffers a line without a limit; beyond ours the process is ended with a clear reason.
      const limit = createLineLimit(maxLineBytes);
      agent.stdout.on('data', (bytes: Buffer) => {
        if (limit.isOver || limit.pass(bytes)) return;
        sdk.emit('error', new LineTooLong(maxLineBytes));
        agent.stdout.unpipe(stdout);
        void agent.kill();
      });
      agent.stdout.pipe(stdout);
      void agent.exited.then(({ code, signal }) => {
        state.exitCode = code;
        state.signalCode = signal;
        // A write to a process that is gone isn't an error.
        stdin.unpipe();
        stdin.resume();
        stdout.end();
        sdk.emit('exit', code, signal);
      });
    },
    (error: unknown) => {
      state.exitCode = -1;
      stdout.end();
      sdk.emit('error', error);
    },
  );
  // Whoever awaits `started` gets the failure; it must not also count as unhandled.
  started.catch(() => {});
  return { sdk, started };
}
