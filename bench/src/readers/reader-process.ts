import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Encoding, ServerMessage } from '@liminal/contracts';
import { WebSocket } from 'ws';
import { nowNs, type Side, stampsIn } from '../jobs/stamp.ts';
import { answerQuestions } from '../processes/questions.ts';

export type ReaderSpec = {
  readonly url: string;
  readonly token: string;
  /** Offers compression to the server. */
  readonly deflate: boolean;
  /** Subscribes to these after opening; a bare socket has none. */
  readonly sessionIds?: readonly string[];
  readonly encoding?: Encoding;
  /** What it keeps: stamps, the text, or nothing. */
  readonly keeps: 'stamps' | 'text' | 'nothing';
};

export type Samples = readonly { readonly side: Side; readonly round: number; readonly ms: readonly number[] }[];
export type Received = { readonly bytes: number; readonly text: string; readonly frames: number };

type Reader = { socket: WebSocket; bytesBefore: number; text: string; frames: number; hasEnded: boolean };

const readers: Reader[] = [];
const samples = new Map<string, { side: Side; round: number; ms: number[] }>();

function keepStamps(data: Buffer): void {
  const now = nowNs();
  for (const { side, round, ns } of stampsIn(data.toString())) {
    const key = `${side}${round}`;
    let kept = samples.get(key);
    if (!kept) samples.set(key, (kept = { side, round, ms: [] }));
    kept.ms.push((now - ns) / 1e6);
  }
}

/** Folds just enough to check that the whole answer arrived. */
function keepText(reader: Reader, data: Buffer): void {
  const message = JSON.parse(data.toString()) as ServerMessage;
  reader.frames += 1;
  if (message.type === 'session:append') {
    const { offset, text, status } = message.payload;
    reader.text = reader.text.slice(0, offset) + text;
    reader.hasEnded ||= status === 'complete';
  } else if (message.type === 'session:upsert' && message.payload.type === 'message') {
    reader.text = message.payload.content;
    reader.hasEnded ||= message.payload.status === 'complete';
  }
}

const bytesRead = ({ socket }: Reader): number => (socket as unknown as { _socket: Socket })._socket.bytesRead;

async function open({ url, token, deflate, sessionIds = [], encoding = 'append', keeps }: ReaderSpec): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const socket = new WebSocket(url, { headers, perMessageDeflate: deflate });
  const reader: Reader = { socket, bytesBefore: 0, text: '', frames: 0, hasEnded: false };
  readers.push(reader);
  await once(socket, 'open');
  for (const sessionId of sessionIds) {
    socket.send(JSON.stringify({ type: 'session:subscribe', sessionId, encoding }));
  }
  if (sessionIds.length > 0) await once(socket, 'message');
  if (keeps === 'stamps') socket.on('message', keepStamps);
  if (keeps === 'text') socket.on('message', (data: Buffer) => keepText(reader, data));
}

/** Simulated browsers in their own process, so they don't slow down the server. */
await answerQuestions({
  async open(specs: readonly ReaderSpec[]) {
    for (const spec of specs) await open(spec);
    await wait(200);
  },
  /** Waits for all updates: a result from only those that arrived would favour a program that loses some. */
  async takeSamples({ count }: { count: number }): Promise<Samples> {
    const counted = () => [...samples.values()].reduce((sum, { ms }) => sum + ms.length, 0);
    const deadline = performance.now() + 20_000;
    while (counted() < count && performance.now() < deadline) await wait(20);
    if (counted() !== count) throw new Error(`${counted()} updates arrived where ${count} were said.`);
    const taken = [...samples.values()];
    samples.clear();
    return taken;
  },
  begin() {
    for (const reader of readers) {
      reader.bytesBefore = bytesRead(reader);
      reader.text = '';
      reader.frames = 0;
      reader.hasEnded = false;
    }
  },
  async untilEnded(): Promise<Received[]> {
    while (readers.some(({ hasEnded }) => !hasEnded)) await wait(5);
    return readers.map((reader) => ({
      bytes: bytesRead(reader) - reader.bytesBefore,
      text: reader.text,
      frames: reader.frames,
    }));
  },
});
process.exit(0);
