import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HistoryPage, SendReply, UpsertObject } from '@liminal/contracts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../store/sqlite/open-database.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { createMemoryStore } from '../store/memory/memory-store.ts';
import { StoreFailure } from '../store/store-failure.ts';
import type { Store } from '../store/store.ts';
import { startTestServer, type TestServer, testToken } from '../testing/test-server.ts';
import { connectReader, type FoldingReader } from './testing/folding-reader.ts';
import { createRecordedProgram, type RecordedProgram } from './testing/recorded-program.ts';
import { patience, testTimeout } from './testing/torture.ts';
import { until } from './testing/until.ts';

const servers: TestServer[] = [];
const readers: FoldingReader[] = [];
let recorded: RecordedProgram | undefined;
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
  await Promise.all(servers.splice(0).map((server) => server.close()));
  await recorded?.cleanup();
  recorded = undefined;
});
async function start(options: Parameters<typeof startTestServer>[0] = {}): Promise<TestServer> {
  const server = await startTestServer(options);
  servers.push(server);
  return server;
}

/** Sends a message, lets the agent answer, and ends the turn successfully. */
async function answers(server: TestServer, sessionId: string): Promise<void> {
  const before = server.provider.sent.length;
  const { turnId } = (
    await server.call<SendReply>('POST', `/api/session/${sessionId}/send`, { content: 'still there?' })
  ).body;
  await until(() => server.provider.sent.length > before, 'a message that reaches the agent');
  server.provider.start(sessionId);
  server.provider.say(sessionId, `${turnId}:1:0`, 'yes', 'complete');
  server.provider.end(sessionId);
  const { body } = await server.call<HistoryPage>('GET', `/api/session/${sessionId}/history`);
  expect(body.turns.at(-1)).toMatchObject({ turnId, state: 'completed' });
}

describe('a failure in one session', () => {
  it(
    'doesn’t affect others when something is rejected or thrown uncaught, anywhere in the program',
    async () => {
      recorded = createRecordedProgram();
      const { api, program } = await recorded.start({ LIMINAL_LOG: 'error' });
      const [good, bad] = [
        await api.newSession('recording', recorded.folder),
        await api.newSession('accidents', recorded.folder),
      ];
      for (const accident of ['type', 'reject', 'throw']) await api.send(bad, accident);
      await vi.waitFor(async () => {
        // An error of the wrong type ends that turn with a standard message.
        expect((await api.history(bad)).turns[0]).toMatchObject({
          state: 'failed',
          ended: { errorCode: 'PROCESS_CRASH' },
        });
        expect(program.stderr()).toContain('a rejection nobody handles');
      }, patience);
      const { turnId } = (await api.send(good, 'say 2')).body;
      await vi.waitFor(
        async () => expect((await api.history(good)).turns).toMatchObject([{ turnId, state: 'completed' }]),
        patience,
      );
      expect(program.child.exitCode).toBeNull();
    },
    testTimeout,
  );

  it('doesn’t affect others when an agent’s message can’t be published', async () => {
    const server = await start();
    const port = await server.served.listen();
    const [bad, good] = [await server.newSession(), await server.newSession()];
    const reader = await connectReader({ port, token: testToken });
    readers.push(reader);
    for (const sessionId of [bad, good]) reader.subscribe(sessionId, 'full');
    await server.call('POST', `/api/session/${bad}/send`, { content: 'hello' });
    await until(() => server.provider.sent.length === 1);
    server.provider.start(bad);
    const unsendable = {
      itemId: 'x:1:0',
      get type(): never {
        throw new Error('no type');
      },
    } as unknown as UpsertObject;
    server.provider.upsert(bad, unsendable);
    server.provider.upsert(bad, undefined as unknown as UpsertObject);
    server.provider.end(bad);
    await answers(server, good);
    await answers(server, bad);
    await reader.until(good, (timeline) => timeline.items.size === 2);
    await reader.until(bad, (timeline) => timeline.turnIds.length === 2);
  });

  it('doesn’t affect others when its rows on disk are damaged', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'liminal-damaged-'));
    const path = join(folder, 'liminal.sqlite');
    let store = openSqliteStore(path);
    const first = await start({ store });
    const [good, damaged, noTurns] = [await first.newSession(), await first.newSession(), await first.newSession()];
    for (const sessionId of [good, damaged, noTurns]) await answers(first, sessionId);
    const { projectId } = (await first.call('POST', '/api/projects', { dir: first.folder })).body;
    await first.call('PUT', '/api/workspace', { tabs: [good] });
    await first.served.close();
    servers.pop();
    await store.close();
    const database = openDatabase(path);
    database.exec(`
      UPDATE sessions SET body = json_remove(body, '$.updatedAt') WHERE session_id = '${damaged}';
      UPDATE turns SET body = '{"half' WHERE session_id = '${noTurns}';
      UPDATE items SET body = '[]' WHERE session_id = '${noTurns}';
      UPDATE settings SET value = 'nonsense';
    `);
    database.close();

    store = openSqliteStore(path);
    const second = await start({ store, folder: first.folder });
    const list = `/api/session/list?projectId=${String(projectId)}`;
    const { status, body } = await second.call<{ sessions: { sessionId: string }[] }>('GET', list);
    expect([status, body.sessions.map((session) => session.sessionId).toSorted()]).toEqual([
      200,
      [good, noTurns].toSorted(),
    ]);
    expect((await second.call('GET', `/api/session/${damaged}/status`)).status).toBe(404);
    expect((await second.call('GET', '/api/workspace')).body).toMatchObject({ tabs: [] });
    expect((await second.call('GET', `/api/session/${noTurns}/history`)).body).toMatchObject({ turns: [] });
    for (const sessionId of [good, noTurns]) await answers(second, sessionId);
    expect((await second.call('GET', `/api/session/${good}/history`)).body.turns).toHaveLength(2);
    expect(store.skippedRows()).toBeGreaterThanOrEqual(4);
    await second.served.close();
    servers.pop();
    await store.close();
    for (const dir of [folder, first.folder]) rmSync(dir, { recursive: true, force: true });
  });
});

describe('a full disk', () => {
  /** A store whose writes fail while `isFull`. */
  function fullDisk(): { store: Store; disk: { isFull: boolean } } {
    const memory = createMemoryStore();
    const disk = { isFull: false };
    const write: Store['write'] = async (writes) => {
      if (disk.isFull) throw new StoreFailure('database or disk is full');
      await memory.write(writes);
    };
    return { store: { ...memory, write }, disk };
  }

  it('rejects messages with the reason, keeps agents’ output, marks the session, and recovers when there is room', async () => {
    const { store, disk } = fullDisk();
    const server = await start({ store });
    const port = await server.served.listen();
    const sessionId = await server.newSession();
    const reader = await connectReader({ port, token: testToken });
    readers.push(reader);
    reader.subscribe(sessionId, 'append');
    const { turnId } = (await server.call<SendReply>('POST', `/api/session/${sessionId}/send`, { content: 'go' })).body;
    const waiting = (await server.call('POST', `/api/session/${sessionId}/send`, { content: 'then go' })).body
      .turnId as string;
    await until(() => server.provider.sent.length === 1);
    server.provider.start(sessionId);

    disk.isFull = true;
    server.provider.say(sessionId, `${turnId}:1:0`, 'I go on talking', 'complete');
    await reader.until(sessionId, (timeline) => timeline.status?.lastError?.code === 'INTERNAL_ERROR');
    expect(reader.timeline(sessionId).status?.lastError?.message).toContain('database or disk is full');
    const refused = await server.call('POST', `/api/session/${sessionId}/send`, {
      content: 'no room',
      clientMessageId: 'c',
    });
    expect(refused).toMatchObject({ status: 500, body: { error: { code: 'INTERNAL_ERROR' } } });
    expect(refused.body.error.message).toContain('database or disk is full');
    server.provider.end(sessionId);
    expect((await server.call('GET', `/api/session/${sessionId}/history`)).body.entries).toMatchObject([
      {},
      { content: 'I go on talking' },
    ]);

    disk.isFull = false;
    await reader.until(sessionId, (timeline) => timeline.status?.lastError === undefined);
    await until(() => store.item(sessionId, `${turnId}:1:0`) !== undefined);
    expect(store.turn(sessionId, turnId)).toMatchObject({ state: 'completed' });
    // The failed first step didn't block the queue forever.
    await until(() => server.provider.sent.length === 2, 'the waiting message');
    expect(server.provider.sent[1]?.options?.turnId).toBe(waiting);
    const again = await server.call('POST', `/api/session/${sessionId}/send`, {
      content: 'room now',
      clientMessageId: 'c',
    });
    expect(again.status).toBe(202);
    expect(reader.faults).toEqual([]);
  });
});
