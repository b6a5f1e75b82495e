import type { AgentExit } from '../../../processes/spawn-agent.ts';

export type ConnectionEnd = {
  readonly exit: AgentExit;
  /** What we could not bear, if that was the cause. */ readonly fault?: string;
};

export type SentRequest = {
  /** The request was handed to the agent's input. */
  readonly written: Promise<void>;
  /** Rejects with `AgentRefused`, or with `ConnectionClosed` when no answer can come any more. */
  readonly answer: Promise<unknown>;
};

export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed';
}
