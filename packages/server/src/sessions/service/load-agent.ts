import { ok, type Result } from '@liminal/contracts';
import { asProviderError } from '../../providers/provider-error.ts';
import type { OpenSession } from './session-roster.ts';

/**
 * Resumes a session's agent and brings in its record; the session is `loading` meanwhile, and dead when that fails. The
 * value says whether readers were sent a new history.
 */
export async function loadAgent(
  opened: OpenSession,
  reread: (opened: OpenSession) => Promise<boolean>,
): Promise<Result<boolean>> {
  const { shell, link } = opened;
  const loading = await shell.handle({ type: 'load' });
  if (!loading.ok) return loading;
  try {
    // An agent that cannot open it again says so now, and not with the next message.
    await link.wake();
    return ok(await reread(opened));
  } catch (thrown) {
    const error = asProviderError(thrown, 'PROTOCOL_ERROR', "The session couldn't be opened.");
    shell.loadFailed(error);
    throw thrown;
  }
}
