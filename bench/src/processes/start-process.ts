import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Answer, Question } from './questions.ts';

export type Asked = {
  readonly pid: number;
  ask<Result>(name: string, args?: unknown): Promise<Result>;
  stop(): Promise<void>;
};

/** Starts a file that answers questions in its own process, and waits until it is ready. */
export async function startProcess(
  file: string,
  args: readonly string[] = [],
  execArgv: readonly string[] = [],
): Promise<Asked> {
  const child = fork(file, args, { execArgv: [...execArgv], serialization: 'advanced' });
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let nextId = 1;
  const ready = new Promise<unknown>((resolve, reject) => waiting.set(0, { resolve, reject }));
  child.on('message', ({ id, result, error }: Answer) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(result);
    else asked?.reject(new Error(`${file}: ${error}`));
  });
  child.on('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`${file} ended with ${code ?? signal}.`));
    waiting.clear();
  });
  await ready;
  return {
    pid: child.pid ?? 0,
    ask: <Result>(name: string, given: unknown = null) =>
      new Promise<Result>((resolve, reject) => {
        const id = nextId++;
        waiting.set(id, { resolve: (result) => resolve(result as Result), reject });
        child.send({ id, ask: name, args: given } satisfies Question);
      }),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      if (child.connected) child.send({ id: 0, ask: 'stop', args: null } satisfies Question);
      // A process that doesn't end by itself must not block later benches.
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await ended;
      clearTimeout(timer);
    },
  };
}
