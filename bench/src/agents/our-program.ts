import { once } from 'node:events';
import type { ServerMessage, UpsertObject } from '@liminal/contracts';
import { builtMain, type Program, type ProgramOptions, startProgram } from '@liminal/stand-ins/testing/start-program';
import { WebSocket } from 'ws';

export type OurProgram = {
  readonly program: Program;
  readonly projectId: string;
  /** Posts to the server; throws unless it succeeds. */
  call(path: string, body: object): Promise<Record<string, string>>;
  subscribe(sessionId: string): void;
  /** When the first matching message arrives; rejects after a minute. */
  next(fits: (message: ServerMessage) => boolean): Promise<number>;
  stop(): Promise<void>;
};

/** The built program, as a user runs it, with one trusted folder and one socket. */
export async function startOurProgram(projectDir: string, options: ProgramOptions = {}): Promise<OurProgram> {
  const program = startProgram({ main: builtMain, ...options });
  const { port, token } = await program.ready;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const call = async (path: string, body: object): Promise<Record<string, string>> => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
    return reply.status === 204 ? {} : ((await reply.json()) as Record<string, string>);
  };
  const { projectId = '' } = await call('/api/projects', { dir: projectDir });
  await call(`/api/projects/${projectId}/trust`, { trusted: true });
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { authorization: headers.authorization } });
  await once(socket, 'open');
  // A killed server closes the connection.
  socket.on('error', () => {});
  const waiting = new Set<(message: ServerMessage) => void>();
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as ServerMessage;
    for (const check of waiting) check(message);
  });
  return {
    program,
    projectId,
    call,
    subscribe: (sessionId) => socket.send(JSON.stringify({ type: 'session:subscribe', sessionId, encoding: 'append' })),
    next: (fits) =>
      new Promise((resolve, reject) => {
        const check = (message: ServerMessage): void => {
          if (!fits(message)) return;
          waiting.delete(check);
          clearTimeout(timer);
          resolve(performance.now());
        };
        waiting.add(check);
        const timer = setTimeout(() => reject(new Error('Nothing of the kind was published for a minute.')), 60_000);
        timer.unref();
      }),
    async stop() {
      socket.close();
      await program.stop();
    },
  };
}

export const isOf =
  (sessionId: string) =>
  (message: ServerMessage): boolean =>
    'sessionId' in message && message.sessionId === sessionId;

const isWord = (item: UpsertObject): boolean =>
  item.type === 'message' && item.origin === 'agent' && item.content !== '';

/** The agent's own output, even from before anyone subscribed to its session. */
export const isAgentsWord = (message: ServerMessage): boolean =>
  message.type === 'session:history'
    ? message.entries.some(isWord)
    : message.type === 'session:upsert' && isWord(message.payload);

/** The newest turn is over, even if it ended before anyone subscribed to its session. */
export const isTurnsEnd = (message: ServerMessage): boolean =>
  message.type === 'session:history'
    ? message.turns.at(-1)?.ended !== undefined
    : message.type === 'session:turn' && message.payload.type !== 'turn_started';

/** The session is open: by itself, or with what was read of it. */
export const isOpen = (message: ServerMessage): boolean =>
  message.type === 'session:history'
    ? message.status.state === 'open'
    : message.type === 'session:status' && message.payload.state === 'open';
