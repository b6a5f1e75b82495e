import { useState, type ReactNode } from 'react';
import { useDirectory, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import './machines.css';

/** Shows above the composer that the session's machine is gone, and what the user can do. */
export function MachineNotice({ sessionId }: { readonly sessionId: string }): ReactNode {
  const { api } = useWorkbench();
  const node = useDirectory().sessions.get(sessionId)?.node;
  const [said, setSaid] = useState<string | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  if (node?.presence !== 'gone' && node?.presence !== 'unseen') return null;
  const takeOver = async (): Promise<void> => {
    setIsAsking(true);
    const reply = await api.session.takeOver(sessionId);
    setIsAsking(false);
    setSaid(reply.ok ? null : reply.failure.message);
  };
  return (
    <div className="machine-notice" role="status">
      {node.presence === 'unseen' ? (
        <p>{`Can't reach ${node.name}, where this session runs. What you see may be out of date.`}</p>
      ) : (
        <>
          <p>
            {`${node.name}, where this session runs, is gone. You can read the session here. It continues when the machine is back.`}
          </p>
          <Button disabled={isAsking} onClick={() => void takeOver()}>
            Continue here
          </Button>
          {said !== null && <p className="machine-said">{said}</p>}
        </>
      )}
    </div>
  );
}
