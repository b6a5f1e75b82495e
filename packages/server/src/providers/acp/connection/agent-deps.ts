import type { ProcessLog } from '../../../processes/process-log.ts';
import type { AgentSpawner } from '../../../processes/spawn-agent.ts';
import { type AgentBudget, defaultBudget } from '../../kit/agent-budget.ts';

/** The outside dependencies of this provider. */
export type AgentDeps = {
  readonly spawner: AgentSpawner;
  readonly log: ProcessLog;
  /** The server's environment; agents get the allow-listed part of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly clientVersion: string;
  /** A folder of our own, for agents queried outside any project; created on first use. */
  readonly neutralDir: string;
  readonly limits: AgentLimits;
};

export type AgentLimits = AgentBudget & {
  /** Without an answer to `initialize` within this time, the agent is stopped. */
  readonly initializeMs: number;
  /** The limit for opening a session; it may have a long record to replay. */
  readonly openMs: number;
  /** If the agent's input doesn't accept a message for this long, the process is ended. */
  readonly writeMs: number;
  /** The limit for listing the agent's sessions, including its start. */
  readonly listMs: number;
  /** Without a reaction to a cancel within this time, the process is ended. */
  readonly cancelMs: number;
  /** How long text may wait before it is emitted. */
  readonly latencyMs: number;
  /** After more updates than this before a session is open, the agent is stopped. */
  readonly earlyUpdates: number;
  /** The same in bytes. */
  readonly earlyBytes: number;
};

export const defaultLimits: AgentLimits = {
  initializeMs: 30_000,
  openMs: 120_000,
  writeMs: 30_000,
  listMs: 15_000,
  cancelMs: 10_000,
  latencyMs: 50,
  earlyUpdates: 500_000,
  earlyBytes: 256 * 1024 * 1024,
  ...defaultBudget,
};
