import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { connectSocket } from '../testing/socket-client.ts';
import { startTestServer } from '../testing/test-server.ts';

it('accepts no socket once it closes them, because the server waits for each to end', async () => {
  const server = await startTestServer();
  const port = await server.served.listen();
  const client = await connectSocket(port);
  server.served.sockets.closeAll(1001, 'The server is shutting down.');
  await expect(connectSocket(port)).rejects.toThrow('socket hang up');
  await client.close();
  await server.close();
});

it('closes a refused socket whose client stays, so the server can end', async () => {
  const server = await startTestServer();
  const port = await server.served.listen();
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const head = ['GET /ws HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Connection: Upgrade', 'Upgrade: websocket'];
  client.write(`${head.join('\r\n')}\r\n\r\nmore than a request`);
  const [reply] = (await once(client, 'data')) as [Buffer];
  expect(reply.toString()).toMatch(/^HTTP\/1\.1 401 /);
  await server.close();
  client.destroy();
});
