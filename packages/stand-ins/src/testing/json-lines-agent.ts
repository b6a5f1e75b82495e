import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { asRecord } from '../wire/read-body.ts';

export interface JsonLinesAgent {
  /** Every message the agent sent, in order. */
  readonly received: readonly Record<string, unknown>[];
  /** The time at which the next matching message arrives. */
  next(fits: (message: Record<string, unknown>) => boolean): Promise<number>;
  request(method: string, params: object): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

interface Options {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Answers the agent's own requests, such as permission requests. */
  readonly answer: (method: string, params: Record<string, unknown>) => unknown;
}

/** Exchanges JSON-RPC lines with a real agent over its pipes. No protocol package is used, so none can hide a fault. */
export function startJsonLinesAgent(script: string, { env, cwd, answer }: Options): JsonLinesAgent {
  // Its own process group, so stopping it also ends the agent's children.
  const child = spawn(process.execPath, [script], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'], detached: true });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const received: Record<string, unknown>[] = [];
  const awaited = new Set<(message: Record<string, unknown>) => void>();
  const waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>();
  const write = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  child.stdin.on('error', () => {});
  child.once('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the agent exited with code ${code}`));
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = asRecord(JSON.parse(line));
    received.push(message);
    for (const check of awaited) check(message);
    const { id, method, params, result, error } = message;
    if (typeof method === 'string') {
      if (id !== undefined) write({ id, result: answer(method, asRecord(params)) });
      return;
    }
    const waiter = waiting.get(Number(id));
    waiting.delete(Number(id));
    if (error === undefined) waiter?.resolve(asRecord(result));
    else waiter?.reject(new Error(JSON.stringify(error)));
  });
  let sent = 0;
  return {
    received,
    next: (fits) =>
      new Promise((resolve) => {
        const check = (message: Record<string, unknown>): void => {
          if (!fits(message)) return;
          awaited.delete(check);
          resolve(performance.now());
        };
        awaited.add(check);
      }),
    request(method, params) {
      const waiter = Promise.withResolvers<Record<string, unknown>>();
      waiting.set(sent, waiter);
      write({ id: sent++, method, params });
      return waiter.promise;
    },
    async stop() {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // Already gone.
      }
      await exited;
    },
  };
}
