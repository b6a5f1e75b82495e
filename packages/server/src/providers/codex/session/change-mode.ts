import { AgentRefused } from '../../acp/connection/failures.ts';
import type { Loose } from '../../kit/read-json.ts';
import { ProviderError } from '../../provider-error.ts';
import type { CodexChoices } from './codex-choices.ts';

/**
 * Chooses a mode, and informs Codex at once: it may continue by itself between messages, and must not do so with the rights of
 * the mode before. What it refuses stays as it was.
 */
export async function changeMode(
  choices: CodexChoices,
  modeId: string,
  threadId: string,
  ask: (method: string, params: unknown) => Promise<Loose>,
): Promise<void> {
  const before = choices.mode.id;
  choices.choose('mode', modeId);
  await ask('thread/settings/update', { threadId, ...choices.rights() }).catch((error: unknown) => {
    choices.choose('mode', before);
    if (!(error instanceof AgentRefused)) throw error;
    throw new ProviderError('INVALID_REQUEST', `Codex doesn't accept this mode: ${error.message}`, error);
  });
}
