import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Pty } from '@replit/ruspty';
import { WebSocketServer } from 'ws';
import { answerQuestions } from '../processes/questions.ts';

/** How much may wait in the socket before the program is paused. */
const mostWaiting = 1024 * 1024;

/**
 * The minimal cost of a terminal in the page: each piece of a program's output goes straight to a socket, each message
 * to the program, and the program waits for a full socket. Nothing is stored, shared or checked.
 */
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
server.on('connection', (socket, { url = '' }) => {
  const command = new URL(url, 'ws://localhost').searchParams.get('command') ?? '';
  const pty = new Pty({
    command: '/bin/sh',
    args: ['-c', command],
    envs: { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color' },
    size: { cols: 80, rows: 24 },
    onExit: () => socket.close(),
  });
  pty.read.on('data', (bytes: Buffer) => {
    socket.send(bytes, () => void (pty.read.isPaused() && socket.bufferedAmount < mostWaiting && pty.read.resume()));
    if (socket.bufferedAmount > mostWaiting) pty.read.pause();
  });
  socket.on('message', (data: Buffer) => pty.write.write(data));
  socket.on('close', () => pty.close());
});
await once(server, 'listening');
await answerQuestions({ open: () => ({ port: (server.address() as AddressInfo).port }) });
process.exit(0);
