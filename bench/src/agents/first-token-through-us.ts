import { once } from 'node:events';
import type { ServerMessage } from '@liminal/contracts';
import { type Program, startProgram } from '@liminal/stand-ins/testing/start-program';
import { WebSocket } from 'ws';

export type OurServer = {
  /** Milliseconds from asking for a session to the agent's first word on the socket. */
  firstToken(prompt: string): Promise<number>;
  /** Milliseconds from asking for a session's load to its history on the socket. */
  load(sessionId: string): Promise<number>;
  /** Milliseconds until a session that the CLI made is taken in and its newest page is on the socket. */
  openRecord(sessionId: string): Promise<number>;
  /** The session of the last `firstToken`; its turn has ended and its agent is put away. */
  lastSession(): string;
  stop(): Promise<void>;
};

/** The program itself, as a person runs it, with one trusted folder and one socket. */
export async function startOurs(
  cliType: string,
  projectDir: string,
  env: Readonly<Record<string, string>>,
): Promise<OurServer> {
  const program: Program = startProgram({ env });
  const { port, token } = await program.ready;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const call = async (path: string, body: object): Promise<Record<string, string>> => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
    return (await reply.json()) as Record<string, string>;
  };
  const { projectId = '' } = await call('/api/projects', { dir: projectDir });
  await call(`/api/projects/${projectId}/trust`, { trusted: true });
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, { headers: { authorization: headers.authorization } });
  await once(socket, 'open');
  const waiting = new Set<(message: ServerMessage) => void>();
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as ServerMessage;
    for (const check of waiting) check(message);
  });
  const next = (fits: (message: ServerMessage) => boolean): Promise<number> =>
    new Promise((resolve) => {
      const check = (message: ServerMessage): void => {
        if (!fits(message)) return;
        waiting.delete(check);
        resolve(performance.now());
      };
      waiting.add(check);
    });
  const of = (sessionId: string) => (message: ServerMessage) =>
    'sessionId' in message && message.sessionId === sessionId;
  let last = '';

  return {
    async firstToken(prompt) {
      const began = performance.now();
      const { sessionId = '' } = await call('/api/session/create', { cliType, projectId });
      last = sessionId;
      const isOurs = of(sessionId);
      const spoken = next((message) => isOurs(message) && isAgentsWord(message));
      const ended = next(
        (message) => isOurs(message) && message.type === 'session:turn' && message.payload.type !== 'turn_started',
      );
      socket.send(JSON.stringify({ type: 'session:subscribe', sessionId, encoding: 'append' }));
      await call(`/api/session/${sessionId}/send`, { content: prompt });
      const took = (await spoken) - began;
      await ended;
      await call(`/api/session/${sessionId}/kill`, {});
      return took;
    },
    async load(sessionId) {
      const isOurs = of(sessionId);
      const opened = next(
        (message) => isOurs(message) && message.type === 'session:status' && message.payload.state === 'open',
      );
      const began = performance.now();
      await call(`/api/session/${sessionId}/load`, { cliType, projectId });
      const took = (await opened) - began;
      await call(`/api/session/${sessionId}/kill`, {});
      return took;
    },
    async openRecord(sessionId) {
      const isOurs = of(sessionId);
      const shown = next(
        (message) => isOurs(message) && message.type === 'session:history' && message.entries.length > 0,
      );
      const began = performance.now();
      await call(`/api/session/${sessionId}/load`, { cliType, projectId });
      socket.send(JSON.stringify({ type: 'session:subscribe', sessionId, encoding: 'append' }));
      return (await shown) - began;
    },
    lastSession: () => last,
    async stop() {
      socket.close();
      await program.stop();
    },
  };
}

const isAgentsWord = (message: ServerMessage): boolean =>
  message.type === 'session:upsert' &&
  message.payload.type === 'message' &&
  message.payload.origin === 'agent' &&
  message.payload.content !== '';
