import { attentionOf, type Attention } from '@liminal/domain/session/attention';
import type { SignName } from '../../ui/sign.ts';
import { useDirectory } from '../workbench/use-workbench.ts';

const idle: Attention = { kind: 'idle' };

/** Gives what any session needs of the person. */
export function useAttention(): (sessionId: string) => Attention {
  const { sessions } = useDirectory();
  return (sessionId) => {
    const session = sessions.get(sessionId);
    return session === undefined ? idle : attentionOf(session);
  };
}

/** Gives the sign of any session. */
export function useSigns(): (sessionId: string) => SignName {
  const attentionOfId = useAttention();
  return (sessionId) => attentionOfId(sessionId).kind;
}
