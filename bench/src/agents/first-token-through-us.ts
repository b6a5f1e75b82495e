import { isAgentsWord, isOf, isOpen, isTurnsEnd, startOurProgram } from './our-program.ts';

export type OurServer = {
  /** Milliseconds from requesting a session to the agent's first word on the socket. */
  firstToken(prompt: string): Promise<number>;
  /** Prepares the agent, as the page does while the user is still choosing. */
  prepare(): Promise<void>;
  /** Milliseconds from requesting a session's load to its history on the socket. */
  load(sessionId: string): Promise<number>;
  /** Milliseconds until a session that the CLI created is imported and its newest page is on the socket. */
  openRecord(sessionId: string): Promise<number>;
  /** The session of the last `firstToken`; its turn has ended and its agent is stopped. */
  lastSession(): string;
  stop(): Promise<void>;
};

/** The program with one kind of agent, measured from outside. */
export async function startOurs(
  cliType: string,
  projectDir: string,
  env: Readonly<Record<string, string>>,
): Promise<OurServer> {
  const { projectId, call, subscribe, next, stop } = await startOurProgram(projectDir, { env, isolated: true });
  let last = '';

  return {
    async firstToken(prompt) {
      const began = performance.now();
      const message = { content: prompt };
      const { sessionId = '' } = await call('/api/session/create', { cliType, projectId, message });
      last = sessionId;
      const isOurs = isOf(sessionId);
      const spoken = next((message) => isOurs(message) && isAgentsWord(message));
      const ended = next((message) => isOurs(message) && isTurnsEnd(message));
      subscribe(sessionId);
      const took = (await spoken) - began;
      await ended;
      await call(`/api/session/${sessionId}/kill`, {});
      return took;
    },
    prepare: async () => void (await call('/api/session/prepare', { cliType, projectId })),
    async load(sessionId) {
      const isOurs = isOf(sessionId);
      const opened = next((message) => isOurs(message) && isOpen(message));
      const began = performance.now();
      await call(`/api/session/${sessionId}/load`, { cliType, projectId });
      const took = (await opened) - began;
      await call(`/api/session/${sessionId}/kill`, {});
      return took;
    },
    async openRecord(sessionId) {
      const isOurs = isOf(sessionId);
      const shown = next(
        (message) => isOurs(message) && message.type === 'session:history' && message.entries.length > 0,
      );
      const began = performance.now();
      await call(`/api/session/${sessionId}/load`, { cliType, projectId });
      subscribe(sessionId);
      return (await shown) - began;
    },
    lastSession: () => last,
    stop,
  };
}
