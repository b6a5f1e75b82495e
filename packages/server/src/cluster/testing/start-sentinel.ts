import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { patience } from '../../reliability/testing/torture.ts';
import { connectRedis, type RedisReply } from '../redis/redis-client.ts';

const name = 'liminal';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/**
 * A real Sentinel that watches one primary with its replicas and decides alone. Debian's `redis-sentinel` is this
 * program.
 */
export async function startSentinel(primaryPort: number) {
  const folder = mkdtempSync(join(tmpdir(), 'liminal-sentinel-'));
  const [port, file] = [await freePort(), join(folder, 'sentinel.conf')];
  const lines = [
    `port ${port}`,
    'bind 127.0.0.1',
    `dir ${folder}`,
    `sentinel monitor ${name} 127.0.0.1 ${primaryPort} 1`,
    `sentinel down-after-milliseconds ${name} 500`,
    `sentinel failover-timeout ${name} 3000`,
  ];
  writeFileSync(file, `${lines.join('\n')}\n`);
  const child = spawn(process.env['REDIS_SERVER_PATH'] ?? 'redis-server', [file, '--sentinel'], { stdio: 'ignore' });
  // One connection per query, because Redis closes idle ones.
  const ask = async (...args: string[]): Promise<RedisReply> => {
    const line = await connectRedis({ url: `redis://127.0.0.1:${port}`, caFile: null });
    try {
      return await line.run(['SENTINEL', ...args, name]);
    } finally {
      line.destroy();
    }
  };
  await vi.waitFor(() => ask('REPLICAS'), patience);
  return {
    /** The primary's current address according to Sentinel. */
    async primaryPort(): Promise<number> {
      const [, found] = (await ask('GET-MASTER-ADDR-BY-NAME')) as readonly string[];
      return Number(found);
    },
    /** Counts the replicas that Sentinel knows. */
    async replicas(): Promise<number> {
      return ((await ask('REPLICAS')) as readonly unknown[]).length;
    },
    async stop(): Promise<void> {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
