import { useState, type ReactNode } from 'react';
import { useSession, useStatus } from '../../state/sessions/use-session.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';

/** An ended session accepts no message until it is reopened. */
export function Ended(): ReactNode {
  const { store } = useSession();
  const { api } = useWorkbench();
  const [failure, setFailure] = useState('');
  const reason = useStatus()?.lastError?.message;
  const reopen = async (): Promise<void> => {
    const reply = await api.session.load(store.sessionId);
    setFailure(reply.ok ? '' : reply.failure.message);
  };
  return (
    <div className="composer-ended">
      {reason === undefined ? (
        <p>This session has ended. Its messages are kept.</p>
      ) : (
        <p>Couldn't resume the agent. {reason} Nothing was lost.</p>
      )}
      <Button look="primary" onClick={() => void reopen()}>
        Reopen session
      </Button>
      {failure !== '' && (
        <p className="field-error" role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}
