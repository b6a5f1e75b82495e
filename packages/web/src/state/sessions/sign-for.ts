import type { SessionSummary } from '@liminal/contracts';
import { signOf, type SignName } from '../../ui/sign.ts';

/** The sign of one session by what the directory says of it. */
export function signFor(session: SessionSummary | undefined, unread: ReadonlySet<string>): SignName {
  if (session === undefined) return 'quiet';
  return signOf({
    state: session.status,
    activity: session.activity,
    failed: session.lastError !== undefined,
    unread: unread.has(session.sessionId),
  });
}
