import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { countBytes } from './count-bytes.ts';

it('counts everything a server sends, including over connections that have closed', async () => {
  const server = createServer((_request, reply) => reply.setHeader('connection', 'close').end('x'.repeat(10_000)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const counted = await countBytes((server.address() as AddressInfo).port);
  for (let visit = 1; visit <= 2; visit += 1) {
    const text = await (await fetch(`http://127.0.0.1:${counted.port}/`)).text();
    expect(text).toHaveLength(10_000);
    expect(counted.bytes()).toBeGreaterThan(visit * 10_000);
    expect(counted.bytes()).toBeLessThan(visit * 10_500);
  }
  await counted.close();
  server.close();
});
