import { mkdirSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readClusterConfig } from '../cluster/membership/cluster-config.ts';
import { createGit } from '../git/real-git.ts';
import { createProcessMarker } from '../processes/process-marker.ts';
import { silentLog } from '../processes/testing/silent-log.ts';
import { createScriptedProvider } from '../providers/testing/scripted-provider.ts';
import { createItemWriter } from '../sessions/writing/item-writer.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { openPtyHost } from '../terminals/pty/script.ts';
import { startTestServer, testToken } from './test-server.ts';

/**
 * `node bench-host.ts JOB FOLDER`: the real service, delivery and disk with a scripted provider, in its own process.
 * JOB is a module of bench/ that drives the provider. Nothing may import the server, so the server is started with the
 * job instead. bench/src/host/bench-host.ts repeats the type of a job's arguments.
 */
const root = new URL('../../../../', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
const [job = '', folder = ''] = process.argv.slice(2);
const store = openSqliteStore(join(folder, 'bench.db'));
// As on a user's server, except that no agent is put to sleep during a measurement.
const limits = { writeBehindMs: 500 };
// Stored with the other data, for a server that is restarted here.
const project = join(folder, 'project');
mkdirSync(project, { recursive: true });
// Part of a cluster if the benchmark says so.
const clustered = readClusterConfig({ name: 'bench' }, process.env);
const cluster = clustered.ok ? clustered.cluster : null;
const git = createGit();
const server = await startTestServer({
  git,
  openPtys: () => openPtyHost({ marker: createProcessMarker(), log: silentLog, graceMs: 300 }),
  // Search without ripgrep is measured even if ripgrep is installed.
  env: {
    ...process.env,
    SHELL: '/bin/sh',
    ...(process.env['LIMINAL_BENCH_SEARCH'] === 'ours' && { PATH: '/bin/none' }),
  },
  ...(cluster === null ? {} : { cluster, provider: createScriptedProvider('scripted', {}, `bench-${process.pid}`) }),
  store,
  limits,
  version,
  folder: project,
  maxLiveAgents: Number.MAX_SAFE_INTEGER,
  pageDir: fileURLToPath(new URL('packages/web/dist', root)),
});
const connections = new Set<Socket>();
const webSockets = new Set<Socket>();
server.served.app.server.on('connection', (socket) => connections.add(socket));
server.served.app.server.on('upgrade', ({ socket }) => webSockets.add(socket));
const written = (sockets: ReadonlySet<Socket>) => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, 0);
const port = await server.served.listen();

const host = {
  port,
  token: testToken,
  folder,
  provider: server.provider,
  call: server.call,
  newSession: server.newSession,
  store,
  /** All bytes sent over the network so far, including headers and after compression. */
  bytesSent: () => written(connections),
  /** The part of it sent over WebSockets. */
  socketBytesSent: () => written(webSockets),
  openStore: openSqliteStore,
  git,
  createItemWriter,
};
export type BenchHost = typeof host;

const { run } = (await import(pathToFileURL(job).href)) as { run: (given: BenchHost) => Promise<void> };
await run(host);
await server.close();
await store.close();
