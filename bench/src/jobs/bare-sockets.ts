import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

export type BareSockets = {
  readonly port: number;
  /** The sockets that requested this path. */
  at(path: string): readonly WebSocket[];
};

/**
 * The baseline of every comparison: a plain `ws` server in the same process, with the options of
 * packages/server/src/sockets/socket-route.ts, so the same bytes are compressed in the same way.
 */
export async function openBareSockets(onMessage?: (path: string, text: string) => void): Promise<BareSockets> {
  const server = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    perMessageDeflate: {
      threshold: 128,
      concurrencyLimit: 4,
      zlibDeflateOptions: { level: 3, memLevel: 7 },
      serverMaxWindowBits: 13,
    },
  });
  const sockets = new Map<string, WebSocket[]>();
  server.on('connection', (socket, { url = '' }) => {
    sockets.set(url, [...(sockets.get(url) ?? []), socket]);
    socket.on('message', (data: Buffer) => onMessage?.(url, data.toString()));
  });
  await once(server, 'listening');
  // It ends with its process, and doesn't keep it alive.
  (server as unknown as { _server: { unref(): void } })._server.unref();
  return { port: (server.address() as AddressInfo).port, at: (path) => sockets.get(path) ?? [] };
}
