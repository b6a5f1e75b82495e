import { useState, type ReactNode } from 'react';
import { useDirectory, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import './machines.css';

/** Above where one writes: that the machine of this session is gone, and what can be done about it. */
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
        <p>{`${node.name}, the machine of this session, cannot be seen from here now. What you see may be behind.`}</p>
      ) : (
        <>
          <p>
            {`The machine of this session (${node.name}) is gone. What was said stays readable; the session goes on when the machine is back.`}
          </p>
          <Button disabled={isAsking} onClick={() => void takeOver()}>
            Go on with it on this machine
          </Button>
          {said !== null && <p className="machine-said">{said}</p>}
        </>
      )}
    </div>
  );
}
