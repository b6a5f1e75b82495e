import type { ProviderSummary } from '@liminal/contracts';
import { useDirectory, useWorkbench } from '../workbench/use-workbench.ts';

/** The agent of a session, including one that hasn't started. */
export function useProvider(sessionId: string): ProviderSummary | undefined {
  const { newSessions } = useWorkbench();
  const { providers, sessions } = useDirectory();
  const cliType = (sessions.get(sessionId) ?? newSessions.origin(sessionId))?.cliType;
  return providers.find((each) => each.cliType === cliType);
}
