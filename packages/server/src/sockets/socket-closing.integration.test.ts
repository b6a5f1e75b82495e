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
