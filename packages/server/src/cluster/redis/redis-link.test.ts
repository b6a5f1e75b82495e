import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { missingCommands } from './redis-link.ts';

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
