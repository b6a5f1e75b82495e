import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export type OldRedis = { readonly port: number; readonly url: string; close(): Promise<void> };

const bulk = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;

/** A fake of an outdated Redis: it reports its version and knows almost no commands. */
export async function startOldRedis(version: string): Promise<OldRedis> {
  const sockets = new Set<Socket>();
  const answer = (name: string): string => {
    if (name === 'INFO') return bulk(`# Server\r\nredis_version:${version}\r\nredis_mode:standalone\r\n`);
    return name === 'PING' ? '+PONG\r\n' : `-ERR unknown command '${name}'\r\n`;
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    let waiting = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      waiting += text;
      // A command is an array of length-prefixed strings. The first is its name.
      for (;;) {
        const count = Number(/^\*(\d+)\r\n/.exec(waiting)?.[1] ?? Number.NaN);
        const parts = waiting.split('\r\n');
        if (Number.isNaN(count) || parts.length <= count * 2 + 1) return;
        waiting = parts.slice(count * 2 + 1).join('\r\n');
        socket.write(answer((parts[2] ?? '').toUpperCase()));
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
