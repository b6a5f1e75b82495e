import type { ReactNode } from 'react';
import { useSession } from '../../../state/sessions/use-session.ts';
import { useAgentSignIn } from '../../../state/terminals/use-agent-sign-in.ts';
import { useCell, useWorkbench } from '../../../state/workbench/use-workbench.ts';
import { Button } from '../../../ui/button.tsx';
import { StepsText } from '../../../ui/steps-text.tsx';
import './start-failure.css';

/** Shows why the agent of a new session can't start, before the user sends a message in vain. */
export function StartFailure({ onSignIn }: { readonly onSignIn?: () => void }): ReactNode {
  const { store, agentName } = useSession();
  const { newSessions } = useWorkbench();
  const signIn = useAgentSignIn(store.sessionId);
  const failure = useCell(newSessions).get(store.sessionId)?.failure ?? null;
  if (failure === null) return null;
  return (
    <div className="start-failure" role="alert">
      <strong>{`${agentName} can't start`}</strong>
      <StepsText text={failure.message} />
      {failure.code === 'AGENT_AUTH_REQUIRED' && signIn !== null && signIn.phase !== 'done' && (
        <Button
          look="primary"
          onClick={() => {
            signIn.start();
            onSignIn?.();
          }}
        >
          {signIn.phase === 'running' ? 'Show sign-in' : 'Sign in'}
        </Button>
      )}
      <Button onClick={() => newSessions.retry(store.sessionId)}>Try again</Button>
    </div>
  );
}
