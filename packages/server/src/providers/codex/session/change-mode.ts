import { AgentRefused } from '../../acp/connection/failures.ts';
import type { Loose } from '../../kit/read-json.ts';
import { ProviderError } from '../../provider-error.ts';
import type { CodexChoices } from './codex-choices.ts';

/**
 * Chooses a mode and informs Codex immediately: it may continue by itself between messages, and must not do so with the
 * rights of the previous mode. If Codex refuses, the mode stays as it was.
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
