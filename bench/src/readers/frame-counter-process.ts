import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Side } from '../jobs/stamp.ts';
import { answerQuestions } from '../processes/questions.ts';
import { createFrameCount } from './count-frames.ts';

export type FrameCounts = Readonly<Record<Side, number>>;
export type CounterSpec = {
  readonly port: number;
  readonly barePort: number;
  readonly token: string;
  readonly sessionId: string;
  readonly subscribers: number;
  readonly deflate: boolean;
};

const counts = { ours: 0, bare: 0 };
/** Sent regularly without being asked: a socket that never answers a ping counts as dead. */
const pong = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);

/** Performs the handshake of a WebSocket client, and keeps the raw stream. */
async function upgrade(port: number, path: string, token: string, deflate: boolean): Promise<Socket> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': randomBytes(16).toString('base64'),
    authorization: `Bearer ${token}`,
    ...(deflate ? { 'sec-websocket-extensions': 'permessage-deflate' } : {}),
  };
  const upgrading = request({ host: '127.0.0.1', port, path, headers });
  upgrading.end();
  const [, socket] = (await once(upgrading, 'upgrade')) as [unknown, Socket];
  return socket;
}

/** A client's text frame, with a mask of zeroes that changes nothing. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  if (payload.length > 65_535) throw new Error('Too long.');
  const head = Buffer.from([0x81, 0x80 | 126, payload.length >> 8, payload.length & 0xff, 0, 0, 0, 0]);
  return Buffer.concat([head, payload]);
}

async function open({ port, barePort, token, sessionId, subscribers, deflate }: CounterSpec): Promise<void> {
  for (let made = 0; made < subscribers; made += 1) {
    const ours = await upgrade(port, '/ws', token, deflate);
    ours.on(
      'data',
      createFrameCount(() => (counts.ours += 1)),
    );
    ours.write(textFrame(JSON.stringify({ type: 'session:subscribe', sessionId, encoding: 'append' })));
    setInterval(() => ours.write(pong), 5000);
    const bare = await upgrade(barePort, '/bare', token, deflate);
    bare.on(
      'data',
      createFrameCount(() => (counts.bare += 1)),
    );
  }
  const control = new WebSocket(`ws://127.0.0.1:${barePort}/control`, { perMessageDeflate: false });
  await once(control, 'open');
  let sent = '';
  setInterval(() => {
    const now = JSON.stringify(counts);
    if (now !== sent) control.send((sent = now));
  }, 2);
  await wait(500);
}

await answerQuestions({ open });
process.exit(0);
