import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Refusal } from '../http/guard.ts';
import type { SocketSession } from './socket-session.ts';
import type { Wire } from './pump.ts';

export type SocketRouteDeps = {
  readonly server: Server;
  /** The same guard as every HTTP route; null lets the request in. */
  readonly guard: (request: IncomingMessage) => Refusal | null;
  readonly createSession: (wire: Wire) => SocketSession;
  readonly heartbeatMs: number;
  readonly onError: (error: unknown) => void;
};

export type SocketRoute = { closeAll(code: number, reason: string): void; readonly connections: () => number };

const path = '/ws';
/** A ping waits behind everything that was sent before it, so a living reader on a slow line may miss a few. */
const missesAllowed = 3;

/** The one file that speaks WebSocket: admits, frames, notices dead peers. */
export function attachSocketRoute({
  server,
  guard,
  createSession,
  heartbeatMs,
  onError,
}: SocketRouteDeps): SocketRoute {
  const sockets = new WebSocketServer({
    noServer: true,
    // As much as a request may carry: a call over the bridge brings images with it.
    maxPayload: 32 * 1024 * 1024,
    // Many small frames that look alike: a shared window makes them a fraction of their size, small ones included.
    perMessageDeflate: {
      threshold: 128,
      concurrencyLimit: 4,
      zlibDeflateOptions: { level: 3, memLevel: 7 },
      serverMaxWindowBits: 13,
    },
  });
  /** Pings in a row that brought no sign of life. */
  const missed = new WeakMap<WebSocket, number>();
  const noteLife = (socket: WebSocket) => void missed.set(socket, 0);

  const beat = setInterval(() => {
    for (const socket of sockets.clients) {
      const count = missed.get(socket) ?? 0;
      if (count > missesAllowed) {
        socket.terminate();
        continue;
      }
      missed.set(socket, count + 1);
      socket.ping();
    }
  }, heartbeatMs);
  beat.unref();
  server.on('close', () => clearInterval(beat));

  sockets.on('connection', (socket) => {
    const session = createSession({
      send: (frame, done) => (socket.readyState === socket.OPEN ? socket.send(frame, done) : done()),
      waiting: () => socket.bufferedAmount,
    });
    socket.on('pong', () => noteLife(socket));
    socket.on('message', (data, isBinary) => {
      noteLife(socket);
      try {
        session.receive(isBinary ? '' : textOf(data));
      } catch (error) {
        onError(error);
      }
    });
    socket.on('error', onError);
    socket.on('close', () => session.close());
  });

  server.on('upgrade', (request, stream: Duplex, head) => {
    stream.on('error', () => stream.destroy());
    const refusal = guard(request) ?? (pathOf(request) === path ? null : notFound);
    if (refusal) return refuse(stream, refusal);
    sockets.handleUpgrade(request, stream, head, (socket) => sockets.emit('connection', socket, request));
  });

  return {
    closeAll(code, reason) {
      for (const socket of sockets.clients) {
        socket.close(code, reason);
        // A peer that does not answer the close must not keep the server.
        setTimeout(() => socket.terminate(), 500).unref();
      }
    },
    connections: () => sockets.clients.size,
  };
}

const notFound: Refusal = { code: 'NOT_FOUND', status: 404, message: 'Sockets are opened at /ws.' };

const pathOf = (request: IncomingMessage) => (request.url ?? '').split('?', 1)[0];

const textOf = (data: Buffer | ArrayBuffer | Buffer[]): string =>
  Array.isArray(data)
    ? Buffer.concat(data).toString()
    : Buffer.isBuffer(data)
      ? data.toString()
      : Buffer.from(data).toString();

function refuse(stream: Duplex, { status, code, message }: Refusal): void {
  const body = JSON.stringify({ error: { code, message } });
  stream.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
