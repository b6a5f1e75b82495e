import type { ReactNode } from 'react';
import { useSession } from '../../state/sessions/use-session.ts';
import { useCell, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { StepsText } from '../../ui/steps-text.tsx';
import './start-failure.css';

/** Why the agent of a new session cannot start, before the person has written to it in vain. */
export function StartFailure(): ReactNode {
  const { store, agentName } = useSession();
  const { newSessions } = useWorkbench();
  const failure = useCell(newSessions).get(store.sessionId)?.failure ?? null;
  if (failure === null) return null;
  return (
    <div className="start-failure" role="alert">
      <strong>{`${agentName} can't start`}</strong>
      <StepsText text={failure.message} />
      <Button onClick={() => newSessions.retry(store.sessionId)}>Try again</Button>
    </div>
  );
}
