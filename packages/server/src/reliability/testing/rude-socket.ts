import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import type { Headers } from './send-request.ts';

export type RudeSocket = {
  say(message: object): void;
  /** The opcodes of the received frames in order: 1 is text, 8 a close. */
  opcodes(): readonly number[];
  readonly closed: Promise<unknown>;
};

/** A peer that ignores everything it receives: it answers no close and never disconnects by itself. */
export async function openRudeSocket(port: number, headers: Headers): Promise<RudeSocket> {
  const socket = createConnection(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  let bytes = Buffer.alloc(0);
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  });
  socket.write(`GET /ws HTTP/1.1\r\n${lines.map((line) => line.join(': ')).join('\r\n')}\r\n\r\n`);
  const opened = Promise.withResolvers<void>();
  socket.on('data', (piece: Buffer) => {
    bytes = Buffer.concat([bytes, piece]);
    const end = bytes.indexOf('\r\n\r\n');
    if (end === -1) return;
    if (bytes.subarray(0, end).toString().startsWith('HTTP/1.1 101')) opened.resolve();
    else if (bytes.subarray(0, 5).toString() === 'HTTP/') opened.reject(new Error(bytes.subarray(0, end).toString()));
  });
  const closed = once(socket, 'close');
  await opened.promise;
  return {
    say: (message) => void socket.write(maskedFrame(Buffer.from(JSON.stringify(message)))),
    opcodes: () => opcodesIn(bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)),
    closed,
  };
}

function maskedFrame(payload: Buffer): Buffer {
  const mask = randomBytes(4);
  const length = payload.length < 126 ? [0x80 | payload.length] : [0xfe, payload.length >> 8, payload.length & 0xff];
  return Buffer.concat([Buffer.from([0x81, ...length]), mask, payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0))]);
}

function opcodesIn(frames: Buffer): number[] {
  const found: number[] = [];
  for (let at = 0; at + 1 < frames.length;) {
    const short = (frames[at + 1] ?? 0) & 0x7f;
    const [header, length] =
      short < 126
        ? [2, short]
        : short === 126
          ? [4, frames.readUInt16BE(at + 2)]
          : [10, Number(frames.readBigUInt64BE(at + 2))];
    found.push((frames[at] ?? 0) & 0x0f);
    at += header + length;
  }
  return found;
}
