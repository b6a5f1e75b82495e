import { ProviderError } from '../../provider-error.ts';
import { isWorthAnotherStart } from './failures.ts';

/** The order in which processes of one agent start. */
export type AgentStarts = {
  /** Starts one: the first alone, later ones in parallel, with one retry where it may help. */
  run<T>(start: () => Promise<T>): Promise<T>;
};

/**
 * Agents prepare their home when they first run (Codex: its databases), and two that do so at once conflict. Another
 * may still be started in a terminal at the same moment, hence the retry.
 */
export function createAgentStarts(): AgentStarts {
  let isPrepared = false;
  let alone: Promise<unknown> | undefined;

  async function attempt<T>(start: () => Promise<T>): Promise<T> {
    try {
      return await start();
    } catch (error) {
      const reason = error instanceof ProviderError ? error.cause : error;
      if (!isWorthAnotherStart(reason)) throw error;
      return start();
    }
  }

  return {
    async run(start) {
      while (!isPrepared && alone) await alone.catch(() => {});
      if (isPrepared) return attempt(start);
      const started = attempt(start);
      alone = started;
      try {
        const result = await started;
        isPrepared = true;
        return result;
      } finally {
        alone = undefined;
      }
    },
  };
}
