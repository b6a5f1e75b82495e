import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

export type Counted = {
  readonly port: number;
  /** The bytes the server has sent so far, over all connections. */
  bytes(): number;
  close(): Promise<void>;
};

/** A proxy that counts the bytes a server sends to browsers, as transferred. */
export async function countBytes(target: number): Promise<Counted> {
  let total = 0;
  const open = new Set<{ destroy(): unknown }>();
  const server = createServer((browser) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [browser, upstream],
      [upstream, browser],
    ] as const) {
      open.add(socket.setNoDelay(true));
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
    upstream.on('data', (chunk: Buffer) => (total += chunk.length));
    browser.pipe(upstream).pipe(browser);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    bytes: () => total,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
