import { type AnyMessage, client, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
import type { ProcessLog } from '../../processes/process-log.ts';
import type { AgentExit, AgentProcess } from '../../processes/spawn-agent.ts';
import { AgentRefused } from './failures.ts';
import { maxLineBytes } from '../line-limit.ts';
import { createJsonLines } from './json-lines.ts';
import { asRecord, asText } from '../loose.ts';

export const protocolVersion = PROTOCOL_VERSION;

export type AcpHandlers = {
  /** A `session/update`, in the order of the wire and before any answer that follows it. */
  update(sessionId: string, update: unknown): void;
  /** A request of the agent. Throw `AgentRefused` to answer with an error; the signal aborts when the agent withdraws it. */
  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  /** The process is gone; told once, last. */
  closed(end: ConnectionEnd): void;
};

export type ConnectionEnd = {
  readonly exit: AgentExit;
  /** What we could not bear, if that was the cause. */ readonly fault?: string;
};

export type SentRequest = {
  /** The request was handed to the agent's input. */
  readonly written: Promise<void>;
  /** Rejects with `AgentRefused`, or with `ConnectionClosed` when no answer can come any more. */
  readonly answer: Promise<unknown>;
};

export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed';
}

export type AcpConnection = {
  request(method: string, params: unknown): SentRequest;
  notify(method: string, params: unknown): Promise<void>;
  readonly isOpen: boolean;
  /** What the agent printed beside the protocol: how much, and the last of it. */
  stray(): { readonly lines: number; readonly last: string };
};

/**
 * Speaks ACP with a started agent. The SDK serves requests and answers; `session/update` is taken off the stream
 * before it, because the SDK drops variants, kinds and fields it does not know and may deliver an update after the
 * answer that followed it.
 */
export function openAcpConnection(agent: AgentProcess, handlers: AcpHandlers, log: ProcessLog): AcpConnection {
  let isOpen = true;
  let fault: string | undefined;
  let lastStray = '';
  const awaitingWrite: PromiseWithResolvers<void>[] = [];
  const awaitingAnswer = new Set<unknown>();
  const incoming = incomingMessages();

  const lines = createJsonLines(
    (message) => {
      if ('method' in message) {
        if (message['method'] !== 'session/update' || 'id' in message) return incoming.push(message);
        const params = asRecord(message['params']);
        return handlers.update(asText(params['sessionId']) ?? '', params['update']);
      }
      // An answer to nothing we asked, or a second one: the SDK would print it.
      if (awaitingAnswer.delete(message['id'])) incoming.push(message);
      else log.warn({ id: message['id'] }, 'an agent answered a request nobody made');
    },
    (line) => {
      lastStray = line.slice(0, 2_000);
    },
    maxLineBytes,
  );

  agent.stdout.on('data', (bytes: Buffer) => {
    try {
      if (fault === undefined) lines.push(bytes);
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
    }
  });
  agent.stdout.once('end', () => {
    // An agent that closes its output can say nothing any more, running or not.
    if (agent.isRunning) void agent.kill();
  });

  const peer = client({ name: 'liminal-builder' })
    .onRequest('*', async ({ method, params, signal }) => {
      try {
        return await handlers.request(method, params, signal);
      } catch (error) {
        if (error instanceof AgentRefused) throw new RequestError(error.code, error.message, error.data);
        throw error;
      }
    })
    .onNotification('*', ({ method }) => log.debug({ method }, 'an agent sent a notification nobody reads'))
    .connect({ readable: incoming.readable, writable: outgoing() });

  function outgoing(): WritableStream<AnyMessage> {
    return new WritableStream({
      async write(message) {
        const isRequest = 'method' in message && 'id' in message;
        const written = isRequest ? awaitingWrite.shift() : undefined;
        if (isRequest) awaitingAnswer.add(message.id);
        try {
          await new Promise<void>((resolve, reject) =>
            agent.stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve())),
          );
          written?.resolve();
        } catch (error) {
          written?.reject(new ConnectionClosed('The agent takes no more input', { cause: error }));
          throw error;
        }
      },
    });
  }

  function fail(words: string): void {
    fault ??= words;
    void agent.kill();
  }

  void agent.exited.then((exit) => {
    isOpen = false;
    // First in words; then whoever waits for an answer hears that none will come.
    handlers.closed({ exit, ...(fault !== undefined && { fault }) });
    peer.close(new ConnectionClosed('The agent process ended'));
    for (const waiting of awaitingWrite.splice(0)) waiting.reject(new ConnectionClosed('The agent process ended'));
  });
  // A broken pipe ends the SDK's side first; the process must not linger without it.
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
    stray: () => ({ lines: lines.strayLines, last: lastStray }),
  };
}

/** What the SDK reads, fed by hand; it ends when the SDK lets go of it. */
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
