import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { DirectoryChanged } from '@liminal/contracts';
import { sessionSummary } from '@liminal/domain/session/testing/session-summary';
import { afterEach, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createMemoryDirectory } from '../bus/directory.ts';
import { createDirectorySubscription } from '../delivery/directory-subscription.ts';
import { SharedFrame } from '../delivery/frame.ts';
import { createPump } from '../delivery/pump.ts';
import { createFrameWriter } from './frame-writer.ts';
import { windowBits } from './shared-deflate.ts';
import type { SocketWire } from './socket-session.ts';

type Client = { socket: WebSocket; received: (string | Buffer)[]; wire: SocketWire; written: () => number };

let server: Server | null = null;
const clients: Client[] = [];
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.terminate();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
  server = null;
});

/** Clients of `ws`, which decompress the writer's frames. */
async function connect(perMessageDeflate: boolean | { serverNoContextTakeover: boolean }): Promise<Client> {
  const http = (server ??= createServer().listen(0, '127.0.0.1'));
  if (!http.listening) await once(http, 'listening');
  const accepting = new WebSocketServer({ noServer: true, perMessageDeflate: { serverMaxWindowBits: windowBits } });
  const wired = new Promise<Pick<Client, 'wire' | 'written'>>((resolve) => {
    http.once('upgrade', (request, stream: Duplex, head) =>
      accepting.handleUpgrade(request, stream, head, () => {
        let bytes = 0;
        const write = stream.write.bind(stream);
        vi.spyOn(stream, 'write').mockImplementation(((chunk: Buffer, done?: () => void) => {
          bytes += chunk.length;
          return write(chunk, done);
        }) as typeof stream.write);
        const forgets = typeof perMessageDeflate === 'object';
        const compression = perMessageDeflate === false ? null : { forgets };
        const wire = createFrameWriter({
          stream,
          compression,
          isOpen: () => true,
          onError: (error) => expect.fail(String(error)),
        });
        resolve({ wire, written: () => bytes });
      }),
    );
  });
  const { port } = http.address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate });
  const received: Client['received'] = [];
  socket.on('message', (data: Buffer, isBinary) => received.push(isBinary ? data : data.toString()));
  const [made] = await Promise.all([wired, once(socket, 'open')]);
  const client = { socket, received, ...made };
  clients.push(client);
  return client;
}

const words = (count: number, start = 0) =>
  Array.from(
    { length: count },
    (_, place) => `{"seq":${start + place},"text":"${'words of the answer – '.repeat(8)}"}`,
  );
const noise = (bytes: number) => randomBytes(bytes).toString('base64');

it.each([
  ['uncompressed', false],
  ['compressed with context takeover', true],
  ['compressed without context takeover', { serverNoContextTakeover: true }],
] as const)('sends messages of every length in order: %s', async (_name, deflate) => {
  const { wire, received } = await connect(deflate);
  // Lengths encoded in 1, 2 and 8 bytes, longer than is compressed synchronously, and short again after that.
  const messages = ['{}', noise(60), ...words(40), noise(30_000), noise(90_000), ...words(3, 50), noise(70_000), '{}'];
  for (const message of messages) wire.send(message);
  await vi.waitFor(() => expect(received).toHaveLength(messages.length));
  expect(received).toEqual(messages);
});

it('keeps terminal bytes in order with messages, even behind one that takes long to compress', async () => {
  const { wire, received } = await connect(true);
  const long = noise(200_000);
  wire.send(long);
  const [head, output] = [Buffer.from([1]), Buffer.from([2, 3])];
  wire.sendBytes(head, output);
  output.fill(0);
  wire.send('{"after":true}');
  await vi.waitFor(() => expect(received).toHaveLength(3));
  expect(received).toEqual([long, Buffer.from([1, 2, 3]), '{"after":true}']);
});

it('compresses small similar messages to a fraction of their size', async () => {
  const { wire, received, written } = await connect(true);
  const messages = words(200);
  for (const message of messages) wire.send(message);
  await vi.waitFor(() => expect(received).toHaveLength(messages.length));
  expect(written()).toBeLessThan(messages.join('').length / 8);
});

it('sends the same bytes to readers with the same messages, and different bytes to others', async () => {
  const [one, two, late] = [await connect(true), await connect(true), await connect(true)];
  late.wire.send(words(1, 1000)[0] ?? '');
  const frames = words(20).map((text) => new SharedFrame(text));
  for (const frame of frames) for (const { wire } of [one, two, late]) wire.send(frame);
  await vi.waitFor(() => expect([one, two, late].map(({ received }) => received.length)).toEqual([20, 20, 21]));
  expect(one.received).toEqual(frames.map(String));
  expect(two.received).toEqual(one.received);
  expect(late.received.slice(1)).toEqual(one.received);
  expect(two.written()).toBe(one.written());
});

it('reports how many bytes wait, and when all of them were taken', async () => {
  const { wire, socket, received } = await connect(true);
  socket.pause();
  const long = noise(2_000_000);
  wire.send(long);
  wire.send('{}');
  expect(wire.waiting()).toBeGreaterThan(2_000_000);
  const drained = new Promise<void>((resolve) => wire.whenDrained?.(resolve));
  socket.resume();
  await drained;
  expect(wire.waiting()).toBe(0);
  await vi.waitFor(() => expect(received.map(String).map((text) => text.length)).toEqual([long.length, 2]), 10_000);
});

it('sends a list of thousands of sessions completely, frame after frame', async () => {
  const { wire, received } = await connect(true);
  const directory = createMemoryDirectory();
  for (let index = 0; index < 3_000; index += 1) directory.put(sessionSummary({ sessionId: `s${index}` }));
  const pump = createPump(wire);
  pump.add(createDirectorySubscription(directory, pump.wake));
  const changes = () => received.map((text) => DirectoryChanged.parse(JSON.parse(String(text))));
  await vi.waitFor(() => expect(changes().at(-1)?.complete).toBe(true));
  expect(changes().map(({ sessions }) => sessions.length)).toEqual([500, 500, 500, 500, 500, 500]);
  directory.put(sessionSummary({ sessionId: 's1', title: 'changed' }));
  await vi.waitFor(() => expect(changes().at(-1)?.sessions).toMatchObject([{ sessionId: 's1', title: 'changed' }]));
  pump.stop();
});
