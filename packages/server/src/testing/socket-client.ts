import { once } from 'node:events';
import type { ClientMessage, ServerMessage } from '@liminal/contracts';
import { WebSocket } from 'ws';
import { testToken } from './test-server.ts';

export type SocketClient = {
  readonly messages: ServerMessage[];
  /** Binary messages, as received. */
  readonly frames: Buffer[];
  say(message: ClientMessage | Record<string, unknown>): void;
  sayRaw(text: string): void;
  /** Resolves with the first matching message, received already or later. */
  next<Found extends ServerMessage>(fits: (message: ServerMessage) => message is Found): Promise<Found>;
  next(fits: (message: ServerMessage) => boolean): Promise<ServerMessage>;
  readonly socket: WebSocket;
  close(): Promise<void>;
};

/** A socket as an API client opens it. It keeps everything it receives. */
export async function connectSocket(port: number, headers: Record<string, string> = {}): Promise<SocketClient> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, {
    headers: { authorization: `Bearer ${testToken}`, ...headers },
  });
  const messages: ServerMessage[] = [];
  const frames: Buffer[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) return void frames.push(data);
    messages.push(JSON.parse(data.toString()) as ServerMessage);
    for (const check of waiting) check();
  });
  await once(socket, 'open');
  return {
    messages,
    frames,
    socket,
    say: (message) => socket.send(JSON.stringify(message)),
    sayRaw: (text) => socket.send(text),
    next: (fits: (message: ServerMessage) => boolean) =>
      new Promise<never>((resolve) => {
        const check = () => {
          const found = messages.find(fits);
          if (!found) return;
          waiting.delete(check);
          resolve(found as never);
        };
        waiting.add(check);
        check();
      }),
    async close() {
      socket.close();
      if (socket.readyState !== WebSocket.CLOSED) await once(socket, 'close');
    },
  };
}
