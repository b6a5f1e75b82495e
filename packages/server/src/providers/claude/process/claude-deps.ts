import type { ProcessLog } from '../../../processes/process-log.ts';
import type { AgentSpawner } from '../../../processes/spawn-agent.ts';
import { type AgentBudget, defaultBudget } from '../../kit/agent-budget.ts';

/** The outside dependencies of this provider. */
export type ClaudeDeps = {
  readonly spawner: AgentSpawner;
  readonly log: ProcessLog;
  /** The server's environment; the agent gets the allow-listed part of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A fresh UUID. */
  readonly newId: () => string;
  readonly limits: ClaudeLimits;
};

export type ClaudeLimits = AgentBudget & {
  /** Without an answer to the first handshake within this time, the process is stopped. */
  readonly initializeMs: number;
  /** Without a reaction to an interrupt within this time, the process is ended. */
  readonly cancelMs: number;
  /** How long text may wait before it is emitted. */
  readonly latencyMs: number;
  /** How long a spare process may wait to be used. */
  readonly spareIdleMs: number;
  /** How long after a session's start the next spare is started. */
  readonly spareDelayMs: number;
};

export const defaultLimits: ClaudeLimits = {
  initializeMs: 30_000,
  cancelMs: 10_000,
  latencyMs: 50,
  spareIdleMs: 15 * 60_000,
  spareDelayMs: 1_500,
  ...defaultBudget,
};
