import { useState, type ReactNode } from 'react';
import { useSession } from '../../state/use-session.ts';
import { useWorkbench } from '../../state/use-workbench.ts';
import { Button } from '../../ui/button.tsx';

/** A session that was ended takes no message until it is opened again. */
export function Ended(): ReactNode {
  const { store } = useSession();
  const { api } = useWorkbench();
  const [failure, setFailure] = useState('');
  const reopen = async (): Promise<void> => {
    const reply = await api.load(store.sessionId);
    setFailure(reply.ok ? '' : reply.failure.message);
  };
  return (
    <div className="composer-ended">
      <p>This session has ended. Everything said in it is kept.</p>
      <Button look="primary" onClick={() => void reopen()}>
        Open it again
      </Button>
      {failure !== '' && (
        <p className="field-error" role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}
