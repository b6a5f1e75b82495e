import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createItemWriter } from '../sessions/item-writer.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { startTestServer, testToken } from './test-server.ts';

/**
 * `node bench-host.ts JOB FOLDER`: the real service, delivery and disk over a scripted provider, in a process of its
 * own. JOB is a module of bench/ that puts words into the provider's mouth; nothing can import the server, so the
 * server is started with the job instead. bench/src/host/bench-host.ts restates what a job is given.
 */
const [job = '', folder = ''] = process.argv.slice(2);
const store = openSqliteStore(join(folder, 'bench.db'));
// What a person's server does, but for the agents: none of them is put to sleep in mid-measurement.
const limits = { writeBehindMs: 500 };
const server = await startTestServer({ store, limits, maxLiveAgents: Number.MAX_SAFE_INTEGER });
const port = await server.served.listen();

const host = {
  port,
  token: testToken,
  folder,
  provider: server.provider,
  call: server.call,
  newSession: server.newSession,
  openStore: openSqliteStore,
  createItemWriter,
};
export type BenchHost = typeof host;

const { run } = (await import(pathToFileURL(job).href)) as { run: (given: BenchHost) => Promise<void> };
await run(host);
await server.close();
await store.close();
