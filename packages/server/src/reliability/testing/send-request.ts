import { once } from 'node:events';
import { request } from 'node:http';
import { createConnection } from 'node:net';

export type Headers = Readonly<Record<string, string>>;
export type RawRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body?: string | undefined;
};
export type Answer = { readonly status: number; readonly headers: Headers; readonly text: string };

/** One request over its own socket with exactly these headers. No host or anything else is added. */
export function sendRequest(port: number, { method, path, headers, body }: RawRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length: Headers = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(
      { port, host: '127.0.0.1', method, path, setHost: false, agent: false, headers: { ...length, ...headers } },
      (reply) => {
        let text = '';
        reply.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers as Headers, text }));
        reply.on('error', reject);
      },
    );
    // Only an accepted upgrade gets here, with status 101.
    sent.on('upgrade', (reply, socket) => {
      socket.destroy();
      resolve({ status: reply.statusCode ?? 0, headers: reply.headers as Headers, text: '' });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends raw bytes, for what no client library would send. Returns the whole response. */
export async function sendRawBytes(port: number, bytes: string): Promise<string> {
  const socket = createConnection(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  socket.on('error', () => socket.destroy());
  socket.write(bytes);
  await once(socket, 'close');
  return text;
}

export const upgrade: Headers = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};
