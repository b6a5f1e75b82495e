import type { FailureCode } from '@liminal/contracts';
import { notRunning } from './session-table.ts';
import { ProviderError } from '../provider-error.ts';
import { type AgentBudget, createBudgetMeter } from './agent-budget.ts';
import { within } from './within.ts';

type Failure = { readonly code: FailureCode; readonly message: string };

export type AgentWatchOptions = {
  readonly agentName: string;
  readonly limits: AgentBudget & { readonly writeMs: number; readonly cancelMs: number };
  readonly agent: { readonly outputBytes: number; kill(): Promise<unknown> };
  /** What the translator holds in memory. */
  readonly heldLength: () => number;
  /** Stops reading what the agent sends. */
  readonly ignore: () => void;
};

/** Ends a session's process if it uses too much or doesn't react. */
export type AgentWatch = {
  /** Why the process was ended; undefined while it behaves. */
  readonly failure: Failure | undefined;
  turnStarted(): void;
  turnEnded(): void;
  /** Call after each message from the agent: ends it once it has sent too much. */
  check(): void;
  /** A question of this length is open until the returned function is called. */
  holdQuestion(length: number): () => void;
  /** Waits until a message is written; throws a `ProviderError` if it can't be. */
  written(writing: Promise<void>): Promise<void>;
  /** The agent was asked to stop its turn, and has `cancelMs` to do so. */
  expectStop(): void;
};

export function createAgentWatch({ agentName, limits, agent, heldLength, ignore }: AgentWatchOptions): AgentWatch {
  const budget = createBudgetMeter(agentName, limits);
  let askedLength = 0;
  let failure: Failure | undefined;
  let stopTimer: NodeJS.Timeout | undefined;

  /** Ends the process, and keeps the reason for the report. */
  function giveUp(reason: Failure): void {
    failure = reason;
    void agent.kill();
  }

  function check(): void {
    const excess = budget.excess(agent.outputBytes, heldLength() + askedLength);
    if (excess === undefined) return;
    ignore();
    giveUp({
      code: 'PROTOCOL_ERROR',
      message: `${excess} Everything it sent is kept. Your next message restarts it.`,
    });
  }

  return {
    get failure() {
      return failure;
    },
    turnStarted: () => budget.turnStarted(agent.outputBytes),
    turnEnded: () => clearTimeout(stopTimer),
    check,
    holdQuestion(length) {
      askedLength += length;
      check();
      return () => void (askedLength -= length);
    },
    async written(writing) {
      const stuck = `${agentName} didn't accept the message within ${limits.writeMs / 1000} s, so its process was ended.`;
      await within(writing, limits.writeMs, stuck).catch((cause: unknown) => {
        if (!(cause instanceof ProviderError)) throw notRunning(agentName, cause);
        giveUp({ code: cause.code, message: cause.message });
        throw cause;
      });
    },
    expectStop() {
      clearTimeout(stopTimer);
      stopTimer = setTimeout(() => {
        const waited = `within ${limits.cancelMs / 1000} s of being asked to`;
        const message = `${agentName} didn't stop ${waited}, so its process was ended. You can reopen the session.`;
        giveUp({ code: 'AGENT_UNRESPONSIVE', message });
      }, limits.cancelMs);
      stopTimer.unref();
    },
  };
}
