import { useCallback, useEffect, useState, type ReactNode } from 'react';
import type { PermissionDecision } from '@liminal/contracts';
import { showHidden } from '@liminal/domain/text/visible-text';
import { useClosedPermissions, useSession } from '../../state/sessions/use-session.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { EmptyList, LoadFailed, LoadingRows } from '../../ui/list-state.tsx';
import './audit-panel.css';

type Loaded = { readonly decisions: readonly PermissionDecision[] } | { readonly failure: string };

/** Every decision in the session, newest first: the request, the answer, who answered and when. */
export function AuditPanel(): ReactNode {
  const { store } = useSession();
  const { api } = useWorkbench();
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const closed = useClosedPermissions();
  const read = useCallback((): (() => void) => {
    let isWanted = true;
    void api.session.audit(store.sessionId).then((reply) => {
      if (isWanted) setLoaded(reply.ok ? { decisions: reply.value.decisions } : { failure: reply.failure.message });
    });
    return () => {
      isWanted = false;
    };
  }, [api, store]);
  useEffect(() => read(), [read, closed]);

  if (loaded === null) return <LoadingRows label="Loading decisions…" />;
  if ('failure' in loaded)
    return <LoadFailed title="Couldn't list the decisions." message={loaded.failure} onRetry={() => read()} />;
  if (loaded.decisions.length === 0)
    return (
      <EmptyList title="No decisions yet">Permission requests appear here, with your answer and its time.</EmptyList>
    );
  return (
    <ol className="audit" aria-label="Decisions">
      {loaded.decisions.toReversed().map((decision) => (
        <Decision key={`${decision.requestId}:${decision.at}`} decision={decision} />
      ))}
    </ol>
  );
}

function Decision({ decision }: { readonly decision: PermissionDecision }): ReactNode {
  const { title, optionName, outcome, by, at, reason, feedback } = decision;
  const when = new Date(at);
  return (
    <li className="audit-line">
      <p className="audit-title" dir="auto">
        {showHidden(title)}
      </p>
      <p>
        <span className="audit-answer">{outcome === 'answered' ? (optionName ?? 'Answered') : 'Not answered'}</span>
        <span className="muted">
          {' '}
          {outcome === 'answered' ? `by ${by === 'person' ? 'you' : by}, ` : ''}
          <time dateTime={at} title={at}>
            {when.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}
          </time>
        </span>
      </p>
      {(feedback ?? reason) !== undefined && (
        <p className="muted" dir="auto">
          {showHidden(feedback ?? reason ?? '')}
        </p>
      )}
    </li>
  );
}
