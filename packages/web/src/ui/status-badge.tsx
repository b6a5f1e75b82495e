import type { ReactNode } from 'react';
import { statusDetails, statusShapes, statusLabels, workingRing, type StatusName } from './status.ts';
import './status-badge.css';

/** The status of a session, the same shape and colour in sidebar, tab and favicon. An idle session has none. */
export function StatusBadge({ status }: { readonly status: StatusName }): ReactNode {
  if (status === 'idle') return null;
  return (
    <span
      className={`status-badge status-badge-${status}`}
      role="img"
      aria-label={statusLabels[status]}
      title={statusLabels[status]}
    >
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        {status === 'working' && <path d={workingRing} fill="currentColor" opacity="0.25" />}
        <path d={statusShapes[status]} fill="currentColor" />
        {statusDetails[status] !== undefined && <path d={statusDetails[status]} className="status-badge-detail" />}
      </svg>
    </span>
  );
}
