import { ok, type Result } from '@liminal/contracts';
import { asProviderError } from '../../providers/provider-error.ts';
import type { OpenSession } from './session-roster.ts';

/**
 * Resumes a session's agent and merges its record. The session is `loading` meanwhile, and dead on failure. The value
 * says whether readers got a new history.
 */
export async function loadAgent(
  opened: OpenSession,
  reread: (opened: OpenSession) => Promise<boolean>,
): Promise<Result<boolean>> {
  const { shell, link } = opened;
  const loading = await shell.handle({ type: 'load' });
  if (!loading.ok) return loading;
  try {
    // An agent that can't reopen the session fails now, and not with the next message.
    await link.wake();
    return ok(await reread(opened));
  } catch (thrown) {
    const error = asProviderError(thrown, 'PROTOCOL_ERROR', "The session couldn't be opened.");
    shell.loadFailed(error);
    throw thrown;
  }
}
