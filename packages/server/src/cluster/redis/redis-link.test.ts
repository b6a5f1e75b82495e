import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as immediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { RedisReply } from './redis-client.ts';
import { createRedisLink, missingCommands } from './redis-link.ts';

const cluster = join(import.meta.dirname, '..');
const sources = readdirSync(cluster, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('testing'))
  .map((path) => readFileSync(join(cluster, path), 'utf8'))
  .join('\n');

it('checks every command that our scripts and code use, and finds missing ones', async () => {
  const used = new Set(
    [...sources.matchAll(/redis\.call\('([A-Z]+)'|run\(\[\s*'([A-Z]+)'/g)].map(([, a, b]) => a ?? b),
  );
  expect(used.size).toBeGreaterThan(20);
  let asked: readonly string[] = [];
  const missing = await missingCommands({
    async run(args) {
      asked = args.slice(2);
      return asked.map((name) => (name === 'XDEL' ? null : [name]));
    },
  });
  expect([...used].filter((name) => name !== 'INFO' && name !== 'COMMAND' && !asked.includes(name ?? ''))).toEqual([]);
  expect(missing).toEqual(['XDEL']);
});

it('accepts a Redis that doesn’t list its commands', async () => {
  const refuse = async () => Promise.reject(new Error("ERR unknown command 'COMMAND'"));
  expect(await missingCommands({ run: refuse })).toEqual([]);
});

it.each(['INFO', 'COMMAND'])(
  'joins nothing and closes its connections if it is closed while %s is pending',
  async (at) => {
    const reached = Promise.withResolvers<void>();
    const reply = Promise.withResolvers<RedisReply>();
    const open = new Set<number>();
    let connections = 0;
    let joins = 0;
    const link = createRedisLink({
      address: { url: 'redis://localhost', caFile: null },
      async onUp() {
        joins += 1;
      },
      onDown: () => {},
      onWarning: () => {},
      async connect() {
        const id = (connections += 1);
        open.add(id);
        return {
          async run([command = '', ...args]) {
            if (command === at) {
              reached.resolve();
              await reply.promise;
            }
            return command === 'INFO' ? 'redis_version:7.4.0' : args.slice(1).map((name) => [name]);
          },
          onClosed: () => {},
          destroy: () => void open.delete(id),
        };
      },
    });
    link.start();
    await reached.promise;
    expect(open.size).toBe(3);
    link.close();
    expect(open.size).toBe(0);
    reply.resolve(null);
    await immediate();
    expect(joins).toBe(0);
  },
);
