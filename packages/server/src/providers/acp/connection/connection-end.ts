import type { AgentExit } from '../../../processes/spawn-agent.ts';

export type ConnectionEnd = {
  readonly exit: AgentExit;
  /** Why we ended the connection, if we did. */ readonly fault?: string;
};

export type SentRequest = {
  /** Resolves when the request was written to the agent's input. */
  readonly written: Promise<void>;
  /** Rejects with `AgentRefused`, or with `ConnectionClosed` when no answer can arrive any more. */
  readonly answer: Promise<unknown>;
};

export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed';
}
