import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { startTestServer } from '../testing/test-server.ts';

it('answers programs that offer HTTP/2 with every request, and checks their token as usual', async () => {
  const server = await startTestServer();
  const port = await server.served.listen();
  const offer = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA'];
  const statusOf = async (path: string): Promise<string> => {
    const client = connect({ port, host: '127.0.0.1' });
    client.write([`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...offer, '', ''].join('\r\n'));
    const [reply] = (await once(client, 'data')) as [Buffer];
    client.destroy();
    return reply.toString().split(' ')[1] ?? '';
  };
  expect(await statusOf('/api/health')).toBe('200');
  expect(await statusOf('/api/projects')).toBe('401');
  await server.close();
});
