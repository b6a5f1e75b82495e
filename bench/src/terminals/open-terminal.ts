import { once } from 'node:events';
import { ackEveryBytes, decodeOutputFrame } from '@liminal/domain/terminal/output-frame';
import { WebSocket } from 'ws';

export type TerminalHost = {
  readonly port: number;
  readonly token: string;
  readonly projectId: string;
  readonly folder: string;
};

/** One reader of one terminal, on either server. */
export type OpenTerminal = {
  /** How many bytes of output have arrived so far. */
  readonly received: number;
  /** Resolves when this many bytes have arrived. */
  until(bytes: number): Promise<void>;
  type(data: string): void;
  close(): Promise<void>;
};

export type ReadAs = {
  /** Bytes per second it shows; without it, everything at once. */
  readonly showsPerSecond?: number;
};

function createCounter() {
  let received = 0;
  const waiting = new Set<{ readonly bytes: number; readonly resolve: () => void }>();
  return {
    get received() {
      return received;
    },
    add(bytes: number): void {
      received += bytes;
      for (const one of waiting) if (received >= one.bytes && waiting.delete(one)) one.resolve();
    },
    until: (bytes: number): Promise<void> =>
      received >= bytes ? Promise.resolve() : new Promise((resolve) => void waiting.add({ bytes, resolve })),
  };
}

export async function openBare(port: number, command: string): Promise<OpenTerminal> {
  const counter = createCounter();
  const url = `ws://127.0.0.1:${port}/?command=${encodeURIComponent(command)}`;
  const socket = new WebSocket(url, { perMessageDeflate: false });
  socket.on('message', (data: Buffer) => counter.add(data.length));
  await once(socket, 'open');
  return {
    get received() {
      return counter.received;
    },
    until: counter.until,
    type: (data) => socket.send(data),
    async close() {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
}

/** One of our terminals, not read by anyone yet. */
export async function startTerminal({ port, token, projectId }: TerminalHost, body: object) {
  const headers = { authorization: `Bearer ${token}` };
  const opened = await fetch(`http://127.0.0.1:${port}/api/projects/${projectId}/terminals`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!opened.ok) throw new Error(await opened.text());
  const { terminalId } = (await opened.json()) as { terminalId: string };
  const end = () => fetch(`http://127.0.0.1:${port}/api/terminals/${terminalId}`, { method: 'DELETE', headers });
  return { terminalId, headers, end };
}

/** One of our terminals through the route and the socket, read like the page: shown output is acknowledged. */
export async function openOurs(host: TerminalHost, command: string, how: ReadAs = {}): Promise<OpenTerminal> {
  const { terminalId, headers, end } = await startTerminal(host, { command });
  const counter = createCounter();
  const socket = new WebSocket(`ws://127.0.0.1:${host.port}/ws`, { headers });
  const say = (message: object): void => socket.send(JSON.stringify({ ...message, terminalId }));
  let acked = 0;
  const show = createScreen(how.showsPerSecond, (offset) => {
    if (socket.readyState !== socket.OPEN || offset < acked + ackEveryBytes) return;
    acked = offset;
    say({ type: 'terminal:ack', offset });
  });
  socket.on('message', (data: Buffer, isBinary) => {
    const frame = isBinary ? decodeOutputFrame(data) : null;
    if (frame?.kind !== 'output') return;
    counter.add(frame.output.length);
    show(frame.offset + frame.output.length, frame.output.length);
  });
  await once(socket, 'open');
  say({ type: 'terminal:attach' });
  return {
    get received() {
      return counter.received;
    },
    until: counter.until,
    type: (data) => say({ type: 'terminal:input', data }),
    async close() {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
      await end();
    },
  };
}

/** Shows one piece after another, as fast as it can or like a page. */
function createScreen(perSecond: number | undefined, shown: (offset: number) => void) {
  if (perSecond === undefined) return (offset: number): void => shown(offset);
  let freeAt = 0;
  return (offset: number, bytes: number): void => {
    freeAt = Math.max(freeAt, performance.now()) + (bytes / perSecond) * 1000;
    setTimeout(() => shown(offset), freeAt - performance.now());
  };
}
