import { type AgentStarts, createAgentStarts } from '../../acp/connection/agent-starts.ts';
import { ProviderError } from '../../provider-error.ts';

const mostTries = 3;

/**
 * The order in which Codex processes start. In a fresh home the first creates its databases, and a second that does so
 * at the same time exits with an error. We can't wait for one started in a terminal, hence the retries.
 */
export function createCodexStarts(): AgentStarts {
  const starts = createAgentStarts();
  return {
    run: (start) =>
      starts.run(async () => {
        for (let tries = 1; ; tries += 1) {
          try {
            return await start();
          } catch (error) {
            if (tries === mostTries || !isHomeUnready(error)) throw error;
          }
        }
      }),
  };
}

const isHomeUnready = (error: unknown): boolean =>
  error instanceof ProviderError && /failed to initialize (sqlite )?state runtime/i.test(error.message);
