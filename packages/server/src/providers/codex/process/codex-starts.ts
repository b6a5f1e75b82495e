import { type AgentStarts, createAgentStarts } from '../../acp/connection/agent-starts.ts';
import { ProviderError } from '../../provider-error.ts';

const mostTries = 3;

/**
 * The order in which processes of Codex start. In a fresh home the first makes its databases, and a second that does so
 * at once ends with these words. One that somebody starts in a terminal cannot be waited for, hence the other tries.
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
