import { type AnyMessage, client, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
import type { ProcessLog } from '../../../processes/process-log.ts';
import type { AgentProcess } from '../../../processes/spawn-agent.ts';
import { errorText } from '../../provider-error.ts';
import { ConnectionClosed, type ConnectionEnd, type SentRequest } from './connection-end.ts';
import { AgentRefused } from './failures.ts';
import { maxLineBytes } from '../../kit/line-limit.ts';
import { createJsonLines } from './json-lines.ts';
import { jsonPieces } from './json-pieces.ts';
import { createRequestGate } from './request-gate.ts';
import { asRecord, asText } from '../../kit/read-json.ts';

export const protocolVersion = PROTOCOL_VERSION;

export type AcpHandlers = {
  /** The process is running. */
  started?(agent: AgentProcess): void;
  /** A `session/update`, in wire order and before any answer that follows it. */
  update(sessionId: string, update: unknown): void;
  /**
   * A request from the agent. Throw `AgentRefused` to answer with an error; the signal aborts if the agent withdraws
   * it.
   */
  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  /** The process is gone; called once, last. */
  closed(end: ConnectionEnd): void;
};

export type AcpConnection = {
  request(method: string, params: unknown): SentRequest;
  notify(method: string, params: unknown): Promise<void>;
  readonly isOpen: boolean;
  /** Discards everything the agent sends from now on: it is being ended. */
  ignore(): void;
  /** The agent's output outside the protocol: how many lines, and the last one. */
  stray(): { readonly lines: number; readonly last: string };
};

/** These wait for a user or a program, not for us: they must not block other requests. */
const waitsForOthers = new Set(['session/request_permission', 'elicitation/create', 'terminal/wait_for_exit']);
const tooMany = -32000;
/** How much is processed at a time. Processing takes far longer than reading. */
const sliceBytes = 8 * 1024;

/**
 * Speaks ACP with a started agent. The SDK handles requests and answers; `session/update` is taken off the stream
 * before it, because the SDK drops variants, kinds and fields it doesn't know and may deliver an update after the
 * answer that followed it.
 */
export function openAcpConnection(agent: AgentProcess, handlers: AcpHandlers, log: ProcessLog): AcpConnection {
  let isOpen = true;
  let fault: string | undefined;
  let lastStray = '';
  let isIgnored = false;
  let hasRest = false;
  const gate = createRequestGate();
  const awaitingWrite: PromiseWithResolvers<void>[] = [];
  const awaitingAnswer = new Set<unknown>();
  const incoming = incomingMessages();

  const lines = createJsonLines(
    (message) => {
      if ('method' in message) {
        if (message['method'] !== 'session/update' || 'id' in message) {
          if ('id' in message) gate.received();
          return incoming.push(message);
        }
        const params = asRecord(message['params']);
        return handlers.update(asText(params['sessionId']) ?? '', params['update']);
      }
      // An answer to an unknown request, or a second one: the SDK would print it.
      if (awaitingAnswer.delete(message['id'])) incoming.push(message);
      else log.warn({ id: message['id'] }, 'an agent responded to an unknown request');
    },
    (line) => {
      lastStray = line.slice(0, 2_000);
    },
    maxLineBytes,
  );

  /**
   * An agent that sends without pause, or asks without reading our answers, must not block the server: we process a
   * slice of its output, then let other work run.
   */
  function hear(bytes: Buffer): void {
    if (fault !== undefined || isIgnored) return;
    try {
      lines.push(bytes.subarray(0, sliceBytes));
    } catch (error) {
      return fail(errorText(error));
    }
    hasRest = bytes.length > sliceBytes;
    if (hasRest) setImmediate(hear, bytes.subarray(sliceBytes));
    listen();
  }
  /** Pauses reading while old input remains, or too many requests are unanswered. */
  function listen(): void {
    if (hasRest || gate.isFull) agent.stdout.pause();
    else if (agent.stdout.isPaused()) agent.stdout.resume();
  }
  agent.stdout.on('data', hear);
  agent.stdout.once('end', () => {
    // An agent that closes its output can't say anything more, running or not.
    if (agent.isRunning) void agent.kill();
  });

  async function serveInTurn(method: string, requestId: unknown, serve: () => Promise<unknown>): Promise<unknown> {
    if (!waitsForOthers.has(method)) {
      await gate.enter(requestId);
      return serve();
    }
    if (!gate.wait()) throw new AgentRefused(tooMany, 'Too many requests are waiting for a response');
    return serve().finally(() => gate.waited());
  }

  const peer = client({ name: 'liminal-builder' })
    .onRequest('*', async ({ method, params, signal, requestId }) => {
      try {
        return await serveInTurn(method, requestId, () => handlers.request(method, params, signal));
      } catch (error) {
        if (error instanceof AgentRefused) throw new RequestError(error.code, error.message, error.data);
        throw error;
      }
    })
    .onNotification('*', ({ method }) => log.debug({ method }, 'an agent sent an unsupported notification'))
    .connect({ readable: incoming.readable, writable: outgoing() });

  function outgoing(): WritableStream<AnyMessage> {
    return new WritableStream({
      async write(message) {
        const isRequest = 'method' in message && 'id' in message;
        const written = isRequest ? awaitingWrite.shift() : undefined;
        if (isRequest) awaitingAnswer.add(message.id);
        try {
          for (const piece of jsonPieces(message)) await write(piece);
          written?.resolve();
          if (!('method' in message)) answered(message.id);
        } catch (error) {
          written?.reject(new ConnectionClosed('The agent no longer accepts input', { cause: error }));
          throw error;
        }
      },
    });
  }

  /** Resolves once the agent's input has accepted the text. */
  function write(text: string): Promise<void> {
    return new Promise((resolve, reject) => agent.stdin.write(text, (error) => (error ? reject(error) : resolve())));
  }

  function answered(requestId: unknown): void {
    gate.answered(requestId);
    listen();
  }

  function fail(reason: string): void {
    fault ??= reason;
    void agent.kill();
  }

  void agent.exited.then((exit) => {
    isOpen = false;
    // Report the end first; then reject the callers waiting for an answer.
    handlers.closed({ exit, ...(fault !== undefined && { fault }) });
    peer.close(new ConnectionClosed('The agent process ended'));
    for (const waiting of awaitingWrite.splice(0)) waiting.reject(new ConnectionClosed('The agent process ended'));
  });
  // A broken pipe ends the SDK's side first; end the process too.
  peer.signal.addEventListener('abort', () => void agent.kill(), { once: true });

  return {
    request(method, params) {
      const written = Promise.withResolvers<void>();
      written.promise.catch(() => {});
      if (!isOpen || peer.signal.aborted) {
        const closed = new ConnectionClosed('The agent process ended');
        written.reject(closed);
        const answer = Promise.reject(closed);
        answer.catch(() => {});
        return { written: written.promise, answer };
      }
      awaitingWrite.push(written);
      const answer = peer.agent.request(method, params).catch((error: unknown) => {
        if (error instanceof RequestError) throw new AgentRefused(error.code, error.message, error.data);
        throw error instanceof ConnectionClosed
          ? error
          : new ConnectionClosed('The agent process ended', { cause: error });
      });
      answer.catch(() => {});
      return { written: written.promise, answer };
    },
    notify: (method, params) => peer.agent.notify(method, params),
    get isOpen() {
      return isOpen && !peer.signal.aborted;
    },
    ignore() {
      isIgnored = true;
      agent.stdout.resume();
    },
    stray: () => ({ lines: lines.strayLines, last: lastStray }),
  };
}

/** The stream the SDK reads, fed by us; it ends when the SDK cancels it. */
function incomingMessages(): {
  readonly readable: ReadableStream<AnyMessage>;
  push(message: Record<string, unknown>): void;
} {
  let control: ReadableStreamDefaultController<AnyMessage> | undefined;
  const readable = new ReadableStream<AnyMessage>({
    start(controller) {
      control = controller;
    },
    cancel() {
      control = undefined;
    },
  });
  return {
    readable,
    push: (message) => control?.enqueue(message as unknown as AnyMessage),
  };
}
