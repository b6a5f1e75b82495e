import { useEffect, useState, type ReactNode } from 'react';
import { showHidden } from '@liminal/domain/text/visible-text';
import { createAnswerGuard } from '../../state/sessions/answer-guard.ts';
import { usePermissions, useSession } from '../../state/sessions/use-session.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { answerDraftsOf } from './answer-drafts.ts';
import { ClosedNotice } from './closed-notice.tsx';
import { PermissionCard } from './permission-card.tsx';
import './permissions.css';

/** The session's oldest open request, with the number of open ones, and what happened to one answered elsewhere. */
export function PermissionPanel(): ReactNode {
  const { store, isActive } = useSession();
  const { api } = useWorkbench();
  const requests = usePermissions();
  const [request] = requests;
  const [answeredHere] = useState(() => new Set<string>());
  const [mayAnswer] = useState(createAnswerGuard);
  const requestId = request?.requestId;
  const drafts = answerDraftsOf(store);
  useEffect(() => drafts.keepOnly(requests.map((open) => open.requestId)), [drafts, requests]);
  useEffect(() => {
    if (requestId === undefined || !isActive) return undefined;
    // The removed card took the focus with it: move it back to the composer.
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
            if (!mayAnswer(request.requestId)) return null;
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
