import { useEffect, type ReactNode } from 'react';
import { usePermissions, useSession } from '../../state/use-session.ts';
import { useWorkbench } from '../../state/use-workbench.ts';
import { PermissionCard } from './permission-card.tsx';
import './permissions.css';

/** What the session waits for: the oldest request, with the number of those behind it. */
export function PermissionDesk(): ReactNode {
  const { store } = useSession();
  const { api } = useWorkbench();
  const [request, ...others] = usePermissions();
  const isOpen = request !== undefined;
  useEffect(() => {
    if (!isOpen) return undefined;
    // The card is gone and took the focus with it: back to where one writes.
    return () => {
      if (document.activeElement === document.body) document.querySelector<HTMLElement>('#composer-input')?.focus();
    };
  }, [isOpen]);
  return (
    <>
      <p className="visually-hidden" aria-live="assertive">
        {request === undefined ? '' : `Waiting for you: ${request.title}`}
      </p>
      {request !== undefined && (
        <PermissionCard
          key={request.requestId}
          request={request}
          others={others.length}
          onAnswer={async (answer) => {
            const reply = await api.answer(store.sessionId, { requestId: request.requestId, ...answer });
            return reply.ok ? null : reply.failure.message;
          }}
        />
      )}
    </>
  );
}
