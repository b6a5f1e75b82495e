import { type JsonLinesAgent, startJsonLinesAgent } from '@liminal/stand-ins/testing/json-lines-agent';

export type BareAgent = {
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
  readonly dir: string;
};

const start = ({ script, env, dir }: BareAgent): JsonLinesAgent =>
  startJsonLinesAgent(script, { env, cwd: dir, answer: () => ({}) });
const isWord = (message: object): boolean => JSON.stringify(message).includes('"agent_message_chunk"');
const handshake = { protocolVersion: 1, clientInfo: { name: 'bench', version: '1' }, clientCapabilities: {} };

/** Milliseconds from starting the adapter to the first word, without our server; and the session it created. */
export async function firstTokenByHand(agent: BareAgent, prompt: string): Promise<{ ms: number; sessionId: string }> {
  const began = performance.now();
  const driven = start(agent);
  try {
    await driven.request('initialize', handshake);
    const { sessionId } = (await driven.request('session/new', { cwd: agent.dir, mcpServers: [] })) as {
      sessionId: string;
    };
    const spoken = driven.next(isWord);
    const answered = driven.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: prompt }] });
    const ms = (await spoken) - began;
    await answered;
    return { ms, sessionId };
  } finally {
    await driven.stop();
  }
}

/** Milliseconds from starting the adapter to the end of `session/load`. */
export async function loadByHand(agent: BareAgent, sessionId: string): Promise<number> {
  const began = performance.now();
  const driven = start(agent);
  try {
    await driven.request('initialize', handshake);
    await driven.request('session/load', { sessionId, cwd: agent.dir, mcpServers: [] });
    return performance.now() - began;
  } finally {
    await driven.stop();
  }
}
