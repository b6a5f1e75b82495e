import type { SessionStatus } from '@liminal/contracts';
import type { ChangeBody } from '@liminal/domain/delivery/change';
import { sameStatus } from '@liminal/domain/session/session-status';

/** Says what readers must be sent of a session's status: nothing while it is what they have. Lists get it every time. */
export function createStatusNotices(
  status: () => SessionStatus,
  list: (current: SessionStatus) => void,
): () => ChangeBody[] {
  let sent = status();
  list(sent);
  return () => {
    const current = status();
    list(current);
    if (sameStatus(sent, current)) return [];
    sent = current;
    return [{ type: 'session:status', payload: current }];
  };
}
