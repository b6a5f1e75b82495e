import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startTestServer, type TestServer, testToken } from '../testing/test-server.ts';
import { mebibytes, printFigures } from './testing/figures.ts';
import { connectReader, type FoldingReader } from './testing/folding-reader.ts';
import { bytesInUse } from './testing/heap.ts';
import { scaled, testTimeout } from './testing/torture.ts';
import { until } from './testing/until.ts';

const mebibyte = 1024 * 1024;
const stuckCount = 20;
/** Items that grow in parallel in a turn. */
const itemCount = 8;
const maxOutboxBytes = mebibyte / 2;
/** What one reader may cost: its outbox, the socket's buffer (1 MiB and a burst), and as much again for overhead. */
const perReader = 2 * (maxOutboxBytes + mebibyte);

let server: TestServer;
const sockets: WebSocket[] = [];
const readers: FoldingReader[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
  await server.close();
});

async function open(port: number, options: object = {}): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, {
    headers: { authorization: `Bearer ${testToken}` },
    ...options,
  });
  sockets.push(socket);
  await once(socket, 'open');
  return socket;
}

/** Subscribes to everything and never reads a byte of it. */
async function openStuck(port: number, sessionIds: readonly string[], encoding: string): Promise<void> {
  const socket = await open(port);
  socket.pause();
  socket.send(JSON.stringify({ type: 'directory:subscribe' }));
  for (const sessionId of sessionIds) socket.send(JSON.stringify({ type: 'session:subscribe', sessionId, encoding }));
}

async function startTurn(sessionId: string): Promise<string> {
  const before = server.provider.sent.length;
  const { turnId } = (await server.call('POST', `/api/session/${sessionId}/send`, { content: 'go' })).body;
  await until(() => server.provider.sent.length > before);
  server.provider.start(sessionId);
  return turnId as string;
}

/** Text that compresses badly, a few KB at a time, each piece as soon as the reader has the previous one. */
async function speak(sessionId: string, turnId: string, megabytes: number, quick: FoldingReader): Promise<number[]> {
  const took: number[] = [];
  const items = Array.from({ length: itemCount }, (_, index) => ({ itemId: `${turnId}:${index + 1}:0`, text: '' }));
  for (let written = 0; written < megabytes * mebibyte;) {
    for (const item of items) {
      const piece = randomBytes(3 * 1024).toString('base64');
      const appendedFrom = item.text.length;
      item.text += piece;
      written += piece.length;
      const began = performance.now();
      server.provider.say(sessionId, item.itemId, item.text, appendedFrom === 0 ? 'create' : 'update', {
        appendedFrom,
        text: piece,
      });
      took.push(performance.now() - began);
    }
    const last = items.at(-1)!;
    await quick.until(sessionId, ({ items: held }) => {
      const item = held.get(last.itemId);
      return item?.type === 'message' && item.content.length === last.text.length;
    });
  }
  return took.toSorted((a, b) => a - b);
}

const quantile = (sorted: readonly number[], share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;

describe('readers that never read', () => {
  it(
    'cost bounded memory, slow neither the agent nor the others, and receive everything once they read again',
    async () => {
      server = await startTestServer({ limits: { maxOutboxBytes, heartbeatMs: 3_600_000 } });
      const port = await server.served.listen();
      const sessionId = await server.newSession();
      const quick = await connectReader({ port, token: testToken });
      readers.push(quick);
      quick.subscribe(sessionId, 'append');
      const late = await connectReader({ port, token: testToken });
      readers.push(late);
      late.subscribe(sessionId, 'append');
      await late.until(sessionId, (timeline) => timeline.cursor !== undefined);
      late.pause();
      const megabytes = scaled(8, 60);
      const alone = await speak(sessionId, await startTurn(sessionId), megabytes / 4, quick);
      server.provider.end(sessionId);
      for (let index = 0; index < stuckCount; index += 1)
        await openStuck(port, [sessionId], index % 2 === 0 ? 'append' : 'full');
      await until(() => server.served.sockets.connections() === stuckCount + 2);

      const turnId = await startTurn(sessionId);
      const before = bytesInUse();
      const beside = await speak(sessionId, turnId, megabytes, quick);
      // Exclude data on its way to disk, which isn't due to the readers.
      await server.served.writer.flush();
      const grown = bytesInUse() - before;
      server.provider.end(sessionId);
      await quick.until(sessionId, (timeline) => timeline.turns.get(turnId)?.record?.state === 'completed');

      // The server, the fast reader and this test hold the text itself. Only memory beyond that is due to the readers.
      const ofReaders = Math.max(0, grown - 4 * megabytes * mebibyte);
      const pace = (share: number): string =>
        `${quantile(alone, share).toFixed(3)} → ${quantile(beside, share).toFixed(3)} ms`;
      printFigures('subscribers that never read', {
        subscribers: stuckCount,
        'text sent': mebibytes(megabytes * mebibyte),
        'memory growth including the text': mebibytes(grown),
        'per subscriber at most': mebibytes(ofReaders / stuckCount),
        'latency of a word, P50 without → with them': pace(0.5),
        P99: pace(0.99),
      });
      // Frames are never split, so a reader that gets whole states may hold one item beyond its limit.
      const wholeItems = (stuckCount / 2) * (megabytes / itemCount) * mebibyte;
      expect(ofReaders).toBeLessThan(stuckCount * perReader + wholeItems);
      expect(quick.faults).toEqual([]);
      expect(quick.counts.histories).toBe(1);

      late.resume();
      await late.until(sessionId, (timeline) => timeline.turns.get(turnId)?.record?.state === 'completed');
      expect(late.counts.histories).toBeGreaterThan(1);
      const texts = (reader: FoldingReader) =>
        [...reader.timeline(sessionId).items.values()].filter((item) => item.turnId === turnId);
      expect(texts(late).map((item) => 'content' in item && item.content.length)).toEqual(
        texts(quick).map((item) => 'content' in item && item.content.length),
      );
    },
    testTimeout,
  );

  it(
    'hold only the newest state of each session while the list of sessions changes all the time',
    async () => {
      server = await startTestServer({ limits: { heartbeatMs: 3_600_000 } });
      const port = await server.served.listen();
      const sessionId = await server.newSession();
      for (let index = 0; index < stuckCount; index += 1) await openStuck(port, [], 'full');
      await until(() => server.served.sockets.connections() === stuckCount);
      const rename = (round: number) =>
        server.call('PATCH', `/api/session/${sessionId}`, {
          title: `${round} ${randomBytes(200).toString('base64')}`.slice(0, 300),
        });
      // The sockets fill their buffers first. From then on memory must not grow.
      const [limit, began] = [(stuckCount * mebibyte) / 16, bytesInUse()];
      let [changes, grown] = [0, Infinity];
      while (changes < 2_500 || (grown > limit && changes < scaled(8_000, 50_000))) {
        const before = bytesInUse();
        for (const end = changes + 500; changes < end; changes += 1) await rename(changes);
        grown = bytesInUse() - before;
      }
      const total = bytesInUse() - began;
      printFigures('subscribers to the session list that never read', {
        subscribers: stuckCount,
        changes,
        'memory growth': mebibytes(total),
        'in the last 500 changes': mebibytes(grown),
      });
      expect(grown).toBeLessThanOrEqual(limit);
      expect(total).toBeLessThan(stuckCount * perReader);
    },
    testTimeout,
  );

  it(
    'stay connected while they read slowly, although a ping waits behind earlier messages',
    async () => {
      server = await startTestServer({ limits: { heartbeatMs: 250 } });
      const port = await server.served.listen();
      const sessionId = await server.newSession();
      const turnId = await startTurn(sessionId);
      const size = 6 * mebibyte;
      server.provider.say(sessionId, `${turnId}:1:0`, 'x'.repeat(size), 'complete');
      // A simulated slow connection that needs more than two heartbeats for everything.
      const line = createConnection(port, '127.0.0.1').on('error', () => {});
      const key = 'dGhlIHNhbXBsZSBub25jZQ==';
      const headers = [
        'GET /ws HTTP/1.1',
        `Host: 127.0.0.1:${port}`,
        'Upgrade: websocket',
        'Connection: Upgrade',
        `Sec-WebSocket-Key: ${key}`,
        'Sec-WebSocket-Version: 13',
        `Authorization: Bearer ${testToken}`,
      ];
      line.write(`${headers.join('\r\n')}\r\n\r\n`);
      await once(line, 'readable');
      const subscribe = Buffer.from(JSON.stringify({ type: 'session:subscribe', sessionId }));
      // A masked text frame, with a mask of zeros.
      line.write(Buffer.concat([Buffer.from([0x81, 0x80 | subscribe.length, 0, 0, 0, 0]), subscribe]));
      let taken = 0;
      const reading = setInterval(() => (taken += (line.read(64 * 1024) as Buffer | null)?.length ?? 0), 5);
      await Promise.race([until(() => taken > size, 'everything'), once(line, 'close')]);
      clearInterval(reading);
      expect(taken).toBeGreaterThan(size);
      // It never answers, so it is finally disconnected.
      line.resume();
      await once(line, 'close');
    },
    testTimeout,
  );

  it('are disconnected if they don’t answer pings, while one that does stays connected', async () => {
    server = await startTestServer({ limits: { heartbeatMs: 40 } });
    const port = await server.served.listen();
    const alive = await open(port);
    const dead = await open(port, { autoPong: false });
    await once(dead, 'close');
    await until(() => server.served.sockets.connections() === 1);
    alive.send(JSON.stringify({ type: 'ping' }));
    expect(JSON.parse(String((await once(alive, 'message'))[0]))).toEqual({ type: 'pong' });
  });
});
