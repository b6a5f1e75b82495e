import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type TestAddress = {
  readonly url: string;
  /** Breaks all connections. */
  cut(): void;
  close(): void;
};

/** An address that leads to the Redis on this port, like a proxy in front of it. To nothing while the port is null. */
export async function startRedisAddress(portOf: () => number | null): Promise<TestAddress> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const port = portOf();
    if (port === null) return void near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    close() {
      cut();
      server.close();
    },
  };
}
