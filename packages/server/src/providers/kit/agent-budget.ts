/** What one agent may cost the server, in bytes. Beyond it the turn fails with a message and the process is ended. */
export type AgentBudget = {
  /** All its output in one turn. */
  readonly turnBytes: number;
  /** All that one session holds in memory at a time: calls without a result, unfinished texts and open questions. */
  readonly openBytes: number;
};

const mebibyte = 1024 * 1024;

/** Far more than the longest real turns (hours of streaming, hundreds of pictures) and far less than the heap. */
export const defaultBudget: AgentBudget = { turnBytes: 1024 * mebibyte, openBytes: 64 * mebibyte };

export type BudgetMeter = {
  /** A turn starts; `outputBytes` is the process's output so far. */
  turnStarted(outputBytes: number): void;
  /** A message the first time the budget is exceeded, otherwise undefined. */
  excess(outputBytes: number, openBytes: number): string | undefined;
};

export function createBudgetMeter(agentName: string, budget: AgentBudget): BudgetMeter {
  let before = 0;
  let isOver = false;
  return {
    turnStarted(outputBytes) {
      before = outputBytes;
    },
    excess(outputBytes, openBytes) {
      // A new process starts counting from zero.
      before = Math.min(before, outputBytes);
      const isOverTurnLimit = outputBytes - before > budget.turnBytes;
      if (isOver || (!isOverTurnLimit && openBytes <= budget.openBytes)) return undefined;
      isOver = true;
      return isOverTurnLimit
        ? `${agentName} sent more than ${formatBytes(budget.turnBytes)} in one turn, so it was stopped.`
        : `${agentName} has more than ${formatBytes(budget.openBytes)} of unfinished output, so it was stopped.`;
    },
  };
}

const formatBytes = (bytes: number): string =>
  bytes >= mebibyte ? `${Math.round(bytes / mebibyte)} MiB` : `${Math.round(bytes / 1024)} KiB`;
