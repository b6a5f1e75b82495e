import type { ReactNode } from 'react';
import './status-badge.css';
import type { AttentionKind } from '@liminal/contracts';

/** The status of a session at a glance; `idle` has none. */
export type StatusName = AttentionKind;

/**
 * Each status has its own shape, so colour is never the only difference: a diamond for a decision, a spinning arc, a
 * disc with a cross, a dot, two bars. Drawn in a box of 16.
 */
export const statusShapes: Record<Exclude<StatusName, 'idle'>, string> = {
  'needs-you':
    'M8.9.9 15.1 7.1a1.3 1.3 0 0 1 0 1.8l-6.2 6.2a1.3 1.3 0 0 1-1.8 0L.9 8.9a1.3 1.3 0 0 1 0-1.8L7.1.9a1.3 1.3 0 0 1 1.8 0z',
  failed: 'M8 1.2a6.8 6.8 0 1 0 0 13.6A6.8 6.8 0 0 0 8 1.2z',
  working: 'M8 1.6a6.4 6.4 0 0 1 6.4 6.4h-2.2A4.2 4.2 0 0 0 8 3.8z',
  done: 'M8 3.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4z',
  paused: 'M4 3.2h2.6v9.6H4zM9.4 3.2H12v9.6H9.4z',
  unknown:
    'M6 2.3 7.6 2v1.8l-1 .3zm4.2 0L8.6 2v1.8l1 .3zM2.3 6 2 7.6h1.8l.3-1zm0 4.1L2 8.6h1.8l.3 1zM13.7 6l.3 1.6h-1.8l-.3-1zm0 4.1.3-1.5h-1.8l-.3 1zM6 13.7l1.6.3v-1.8l-1-.3zm4.2 0-1.6.3v-1.8l1-.3z',
};

/** Drawn inside some of them, in the colour of the page. */
export const statusDetails: Partial<Record<StatusName, string>> = {
  'needs-you': 'M7.1 4h1.8v4.9H7.1zM7.1 10.2h1.8V12H7.1z',
  failed: 'm5.9 4.8 2.1 2.1 2.1-2.1 1.1 1.1L9.1 8l2.1 2.1-1.1 1.1L8 9.1l-2.1 2.1-1.1-1.1L6.9 8 4.8 5.9z',
};
/** The ring around the spinning arc. */
export const workingRing =
  'M8 1.6a6.4 6.4 0 1 0 0 12.8A6.4 6.4 0 0 0 8 1.6zm0 2.2a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.4z';

export const statusLabels: Record<StatusName, string> = {
  'needs-you': 'Needs you',
  failed: 'Failed',
  working: 'Working',
  done: 'Done, not seen',
  paused: 'Paused',
  unknown: 'Unknown',
  idle: 'Idle',
};

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
