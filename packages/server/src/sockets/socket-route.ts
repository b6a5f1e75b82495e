import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { chosenProtocol } from '@liminal/contracts';
import { type Refusal, pathOf } from '../access/guard.ts';
import { type Compression, createFrameWriter } from './frame-writer.ts';
import { windowBits } from './shared-deflate.ts';
import type { SocketSession, SocketWire } from './socket-session.ts';

export type SocketRouteDeps = {
  readonly server: Server;
  /** The same guard as every HTTP route; null lets the request in. */
  readonly admit: (request: IncomingMessage) => Refusal | null;
  /** Checks an admitted connection again; null lets it stay. */
  readonly recheck: (request: IncomingMessage) => Refusal | null;
  readonly createSession: (wire: SocketWire) => SocketSession;
  readonly heartbeatMs: number;
  readonly onError: (error: unknown) => void;
};

export type SocketRoute = {
  /** Stops serving every connection `recheck` rejects; the returned function closes them. */
  revoke(code: number, reason: string): () => void;
  /** Closes every connection, and accepts no more. */
  closeAll(code: number, reason: string): void;
  readonly connections: () => number;
};

const path = '/ws';
/** A ping waits behind everything sent before it, so a live reader on a slow connection may miss a few. */
const missesAllowed = 3;
const closeMs = 500;

/** One socket, the request that opened it, and whether it was disconnected. */
type Visit = { readonly request: IncomingMessage; readonly session: SocketSession; isOver: boolean };

/** The only file that uses `ws`: admits connections, reads messages, detects dead peers. */
export function attachSocketRoute({
  server,
  admit,
  recheck,
  createSession,
  heartbeatMs,
  onError,
}: SocketRouteDeps): SocketRoute {
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: chosenProtocol,
    // As large as a request may be: bridge calls can carry images.
    maxPayload: 32 * 1024 * 1024,
    // Many small, similar frames: a shared window shrinks even small ones to a fraction. `ws` negotiates compression
    // and reads client messages; we compress outgoing messages ourselves, once for all recipients.
    perMessageDeflate: { concurrencyLimit: 4, serverMaxWindowBits: windowBits },
  });
  /** Consecutive pings without an answer. */
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

  let isClosing = false;
  const visits = new Map<WebSocket, Visit>();
  /** Stops reading and sending immediately, whether or not the peer closes its side. */
  const silence = (socket: WebSocket): void => {
    const visit = visits.get(socket);
    if (!visit || visit.isOver) return;
    visit.isOver = true;
    visit.session.close();
  };
  const close = (socket: WebSocket, code: number, reason: string): void => {
    silence(socket);
    socket.close(code, reason);
    // Cuts off a peer that doesn't answer the close frame.
    setTimeout(() => socket.terminate(), closeMs).unref();
  };

  sockets.on('connection', (socket: WebSocket, request: IncomingMessage, stream: Duplex) => {
    const isOpen = () => socket.readyState === socket.OPEN && visits.get(socket)?.isOver === false;
    const session = createSession(
      createFrameWriter({ stream, compression: compressionOf(socket, request), isOpen, onError }),
    );
    visits.set(socket, { request, session, isOver: false });
    socket.on('pong', () => noteLife(socket));
    socket.on('message', (data, isBinary) => {
      noteLife(socket);
      if (!isOpen()) return;
      try {
        session.receive(isBinary ? '' : textOf(data));
      } catch (error) {
        onError(error);
      }
    });
    socket.on('error', onError);
    socket.on('close', () => {
      silence(socket);
      visits.delete(socket);
    });
  });

  server.on('upgrade', (request, stream: Duplex, head) => {
    stream.on('error', () => stream.destroy());
    // The server waits for every socket to end, and nothing would close this one.
    if (isClosing) return void stream.destroy();
    const refusal = admit(request) ?? (pathOf(request.url ?? '') === path ? null : notFound);
    if (refusal) return refuse(stream, refusal);
    sockets.handleUpgrade(request, stream, head, (socket) => sockets.emit('connection', socket, request, stream));
  });

  return {
    revoke(code, reason) {
      const refused = [...visits].flatMap(([socket, { request }]) => (recheck(request) ? [socket] : []));
      for (const socket of refused) silence(socket);
      const end = (): void => {
        clearTimeout(timer);
        for (const socket of refused) close(socket, code, reason);
      };
      const timer = setTimeout(end, closeMs).unref();
      return end;
    },
    closeAll(code, reason) {
      isClosing = true;
      for (const socket of sockets.clients) close(socket, code, reason);
    },
    connections: () => sockets.clients.size,
  };
}

/** The compression that client and server agreed on. */
function compressionOf(socket: WebSocket, { headers }: IncomingMessage): Compression | null {
  if (!socket.extensions.includes('permessage-deflate')) return null;
  return { forgets: headers['sec-websocket-extensions']?.includes('server_no_context_takeover') ?? false };
}

const notFound: Refusal = { code: 'NOT_FOUND', status: 404, message: 'Open sockets at /ws.' };

const textOf = (data: Buffer | ArrayBuffer | Buffer[]): string =>
  Array.isArray(data)
    ? Buffer.concat(data).toString()
    : Buffer.isBuffer(data)
      ? data.toString()
      : Buffer.from(data).toString();

/** Nothing else would close this socket: Node no longer counts it among the requests. */
function refuse(stream: Duplex, { status, code, message }: Refusal): void {
  const timer = setTimeout(() => stream.destroy(), closeMs).unref();
  stream.once('close', () => clearTimeout(timer));
  // What nobody reads would hide that the client has gone.
  stream.resume();
  const body = JSON.stringify({ error: { code, message } });
  stream.end(
    `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
