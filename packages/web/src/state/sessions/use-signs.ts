import type { SignName } from '../../ui/sign.ts';
import { signFor } from './sign-for.ts';
import { useDirectory, useUnread } from '../workbench/use-workbench.ts';

/** Gives the sign of any session. */
export function useSigns(): (sessionId: string) => SignName {
  const { sessions } = useDirectory();
  const unread = useUnread();
  return (sessionId) => signFor(sessions.get(sessionId), unread);
}
