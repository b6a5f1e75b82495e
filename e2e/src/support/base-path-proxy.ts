import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export type BasePathProxy = { readonly url: string; to(port: number): void; close(): Promise<void> };

/** A typical reverse proxy: it strips a path prefix, and forwards upgrades. */
export async function startBasePathProxy(base: string): Promise<BasePathProxy> {
  let target = 0;
  const sockets = new Set<Socket>();
  const pathOf = ({ url = '/' }: IncomingMessage): string =>
    url.startsWith(base) ? url.slice(base.length - 1) : '/404';
  const server = createServer((asked, reply) => {
    const { method = 'GET', headers } = asked;
    const onward = request({ host: '127.0.0.1', port: target, path: pathOf(asked), method, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(reply);
    });
    onward.on('error', () => reply.writeHead(502).end());
    asked.pipe(onward);
  });
  server.on('upgrade', (asked: IncomingMessage, client: Socket) => {
    const onward = connect(target, '127.0.0.1', () => {
      const lines = asked.rawHeaders.flatMap((_, place, all) =>
        place % 2 ? [] : [`${all[place]}: ${all[place + 1]}`],
      );
      onward.write(`GET ${pathOf(asked)} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      onward.pipe(client).pipe(onward);
    });
    for (const socket of [onward, client]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${base}`,
    to(next) {
      target = next;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
