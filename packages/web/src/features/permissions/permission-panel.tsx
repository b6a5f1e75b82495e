import { useEffect, useState, type ReactNode } from 'react';
import { showHidden } from '@liminal/domain/text/visible-text';
import { usePermissions, useSession } from '../../state/sessions/use-session.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { ClosedNotice } from './closed-notice.tsx';
import { PermissionCard } from './permission-card.tsx';
import './permissions.css';

/** What the session waits for: the oldest request, with how many there are; and what became of one answered elsewhere. */
export function PermissionPanel(): ReactNode {
  const { store, isActive } = useSession();
  const { api } = useWorkbench();
  const requests = usePermissions();
  const [request] = requests;
  const [answeredHere] = useState(() => new Set<string>());
  const requestId = request?.requestId;
  useEffect(() => {
    if (requestId === undefined || !isActive) return undefined;
    // The card is gone and took the focus with it: back to where one writes.
    return () => {
      if (document.activeElement === document.body) document.querySelector<HTMLElement>('#composer-input')?.focus();
    };
  }, [requestId, isActive]);
  return (
    <>
      <p className="visually-hidden" aria-live="assertive">
        {request === undefined ? '' : `Needs you: ${showHidden(request.title)}`}
      </p>
      <ClosedNotice answeredHere={answeredHere} />
      {request !== undefined && (
        <PermissionCard
          key={request.requestId}
          request={request}
          count={requests.length}
          onAnswer={async (answer) => {
            answeredHere.add(request.requestId);
            const reply = await api.session.answer(store.sessionId, { requestId: request.requestId, ...answer });
            if (!reply.ok) answeredHere.delete(request.requestId);
            return reply.ok ? null : reply.failure.message;
          }}
        />
      )}
    </>
  );
}
