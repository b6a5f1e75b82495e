import { attentionOf, type Attention } from '@liminal/domain/session/attention';
import type { StatusName } from '../../ui/status-badge.tsx';
import { useDirectory } from '../workbench/use-workbench.ts';

const idle: Attention = { kind: 'idle' };

/** Returns the attention of any session. */
export function useAttention(): (sessionId: string) => Attention {
  const { sessions } = useDirectory();
  return (sessionId) => {
    const session = sessions.get(sessionId);
    return session === undefined ? idle : attentionOf(session);
  };
}

/** Returns the status of any session. */
export function useStatuses(): (sessionId: string) => StatusName {
  const attentionOfId = useAttention();
  return (sessionId) => attentionOfId(sessionId).kind;
}
