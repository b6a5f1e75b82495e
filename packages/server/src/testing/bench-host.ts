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
 * `node bench-host.ts JOB FOLDER`: the real service, delivery and disk over a scripted provider, in a process of its
 * own. JOB is a module of bench/ that puts words into the provider's mouth; nothing can import the server, so the
 * server is started with the job instead. bench/src/host/bench-host.ts restates what a job is given.
 */
const root = new URL('../../../../', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
const [job = '', folder = ''] = process.argv.slice(2);
const store = openSqliteStore(join(folder, 'bench.db'));
// What a user's server does, but for the agents: none of them is put to sleep in mid-measurement.
const limits = { writeBehindMs: 500 };
// It stays with the rest, for a server that is restarted here.
const project = join(folder, 'project');
mkdirSync(project, { recursive: true });
// One of several machines where the bench says so.
const clustered = readClusterConfig({ name: 'bench' }, process.env);
const cluster = clustered.ok ? clustered.cluster : null;
const git = createGit();
const server = await startTestServer({
  git,
  openPtys: () => openPtyHost({ marker: createProcessMarker(), log: silentLog, graceMs: 300 }),
  // Searching without ripgrep is measured also where there is one.
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
  /** Everything sent over the network so far, as it went: headers, compression and all. */
  bytesSent: () => written(connections),
  /** The part of it that went over WebSockets. */
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
