import type { ProcessLog } from '../../../processes/process-log.ts';
import type { AgentProcess } from '../../../processes/spawn-agent.ts';
import { type ConnectionEnd, ConnectionClosed, type SentRequest } from '../../acp/connection/connection-end.ts';
import { AgentRefused } from '../../acp/connection/failures.ts';
import { createJsonLines } from '../../acp/connection/json-lines.ts';
import { jsonPieces } from '../../acp/connection/json-pieces.ts';
import { maxLineBytes } from '../../kit/line-limit.ts';
import { asNumber, asRecord, asText, type Loose } from '../../kit/read-json.ts';
import { errorText } from '../../provider-error.ts';

export type AppServerHandlers = {
  /** A notification, in wire order and before any answer that follows it. */
  notified(method: string, params: Loose): void;
  /** A request from Codex. Throw `AgentRefused` to answer with an error; the signal aborts if it is withdrawn. */
  asked(method: string, params: Loose, signal: AbortSignal): Promise<unknown>;
  /** The process is gone; called once, last. */
  closed(end: ConnectionEnd): void;
};

export type AppServer = {
  request(method: string, params: unknown): SentRequest;
  notify(method: string): void;
  readonly isOpen: boolean;
  /** Discards everything it sends from now on: it is being ended. */
  ignore(): void;
  /** Its output outside the protocol: how many lines, and the last one. */
  stray(): { readonly lines: number; readonly last: string };
};

/** How much is processed at a time. Processing takes far longer than reading. */
const sliceBytes = 8 * 1024;
const mostOpenRequests = 256;
const tooMany = -32000;
const internalError = -32603;

/** Speaks Codex's own protocol with a started `codex app-server`: JSON-RPC in lines, without the version field. */
export function openAppServer(agent: AgentProcess, handlers: AppServerHandlers, log: ProcessLog): AppServer {
  const awaited = new Map<number, PromiseWithResolvers<unknown>>();
  /** Unanswered requests from Codex. */
  const asked = new Map<unknown, AbortController>();
  let isOpen = true;
  let fault: string | undefined;
  let isIgnored = false;
  let lastStray = '';
  let nextId = 0;
  let writing: Promise<void> = Promise.resolve();

  const lines = createJsonLines(
    (message) => {
      const method = asText(message['method']);
      if (method === undefined) answered(message);
      else if ('id' in message) void serve(message['id'], method, asRecord(message['params']));
      else notified(method, asRecord(message['params']));
    },
    (line) => {
      lastStray = line.slice(0, 2_000);
    },
    maxLineBytes,
  );

  function notified(method: string, params: Loose): void {
    if (method === 'serverRequest/resolved') asked.get(params['requestId'])?.abort();
    handlers.notified(method, params);
  }

  function answered(message: Loose): void {
    const id = asNumber(message['id']) ?? -1;
    const waiting = awaited.get(id);
    awaited.delete(id);
    if (!waiting) return log.warn({ id: message['id'] }, 'an agent responded to an unknown request');
    if (message['error'] === undefined) return waiting.resolve(message['result']);
    const error = asRecord(message['error']);
    waiting.reject(new AgentRefused(asNumber(error['code']) ?? 0, asText(error['message']) ?? '', error['data']));
  }

  async function serve(id: unknown, method: string, params: Loose): Promise<void> {
    if (asked.size >= mostOpenRequests) return refuse(id, tooMany, 'Too many requests are waiting for a response');
    const control = new AbortController();
    asked.set(id, control);
    try {
      const result = await handlers.asked(method, params, control.signal);
      // A withdrawn request needs no answer.
      if (!control.signal.aborted) await send({ id, result }).catch(() => {});
    } catch (error) {
      const code = error instanceof AgentRefused ? error.code : internalError;
      refuse(id, code, errorText(error));
    } finally {
      asked.delete(id);
    }
  }

  const refuse = (id: unknown, code: number, message: string): void =>
    void send({ id, error: { code, message } }).catch(() => {});

  /** Sends messages one after the other, long ones in pieces. Resolves once the input has accepted this one. */
  function send(message: object): Promise<void> {
    const before = writing;
    const written = (async () => {
      await before.catch(() => {});
      for (const piece of jsonPieces(message)) await write(piece);
    })();
    writing = written;
    written.catch(() => {});
    return written;
  }

  const write = (text: string): Promise<void> =>
    new Promise((resolve, reject) => agent.stdin.write(text, (error) => (error ? reject(error) : resolve())));

  /** Processes a slice of the output, then lets other work run. */
  function hear(bytes: Buffer): void {
    if (fault !== undefined || isIgnored) return;
    try {
      lines.push(bytes.subarray(0, sliceBytes));
    } catch (error) {
      fault = errorText(error);
      return void agent.kill();
    }
    if (bytes.length > sliceBytes) {
      agent.stdout.pause();
      setImmediate(hear, bytes.subarray(sliceBytes));
    } else if (agent.stdout.isPaused()) agent.stdout.resume();
  }
  agent.stdout.on('data', hear);
  agent.stdout.once('end', () => {
    // An agent that closes its output can't say anything more, running or not.
    if (agent.isRunning) void agent.kill();
  });
  agent.stdin.on('error', () => void agent.kill());

  void agent.exited.then((exit) => {
    isOpen = false;
    for (const control of asked.values()) control.abort();
    // Report the end first; then reject the callers waiting for an answer.
    handlers.closed({ exit, ...(fault !== undefined && { fault }) });
    for (const { reject } of awaited.values()) reject(new ConnectionClosed('The agent process ended'));
    awaited.clear();
  });

  return {
    request(method, params) {
      const answer = Promise.withResolvers<unknown>();
      answer.promise.catch(() => {});
      if (!isOpen) {
        const closed = new ConnectionClosed('The agent process ended');
        const never = Promise.reject(closed);
        never.catch(() => {});
        answer.reject(closed);
        return { written: never, answer: answer.promise };
      }
      const id = nextId++;
      awaited.set(id, answer);
      const written = send({ id, method, params }).catch((error: unknown) => {
        throw new ConnectionClosed('The agent no longer accepts input', { cause: error });
      });
      written.catch(() => {});
      return { written, answer: answer.promise };
    },
    notify: (method) => void send({ method }).catch(() => {}),
    get isOpen() {
      return isOpen;
    },
    ignore() {
      isIgnored = true;
      agent.stdout.resume();
    },
    stray: () => ({ lines: lines.strayLines, last: lastStray }),
  };
}
