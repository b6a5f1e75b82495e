import type { ReactNode } from 'react';
import { usePermissions, useRunningTurn, useStatus } from '../../state/sessions/use-session.ts';
import { useIsDisconnected } from '../../state/workbench/use-workbench.ts';
import { useNow } from '../../state/base/use-now.ts';
import { formatElapsed } from '../../ui/format.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';

/** What the agent is doing, and for how long. Screen readers announce each change once. */
export function ActivityLine(): ReactNode {
  const running = useRunningTurn();
  const status = useStatus();
  const isWaiting = usePermissions().length > 0;
  const isDisconnected = useIsDisconnected();
  const isWorking = running !== null || status?.activity === 'working';
  // The agent's state is unknown while disconnected, so a running clock would be misleading.
  if (isDisconnected) {
    return (
      <span className="activity">
        {(isWorking || isWaiting) && (
          <>
            <StatusBadge status="unknown" /> <span className="activity-label">Was working when disconnected</span>
          </>
        )}
      </span>
    );
  }
  return (
    <>
      <span className="visually-hidden" aria-live="polite">
        {isWorking ? 'Agent is working' : 'Agent is idle'}
      </span>
      <span className="activity">
        {isWaiting && (
          <>
            <StatusBadge status="needs-you" /> <span className="activity-label activity-waiting">Needs you</span>
          </>
        )}
        {!isWaiting && isWorking && (
          <>
            <StatusBadge status="working" />{' '}
            <span className="activity-label">Working {running !== null && <Elapsed since={running.since} />}</span>
          </>
        )}
        {!isWorking && !isWaiting && status?.activity === 'asleep' && (
          <>
            <StatusBadge status="paused" /> <span className="activity-label">Paused. Resumes when you send.</span>
          </>
        )}
      </span>
    </>
  );
}

function Elapsed({ since }: { readonly since: number }): ReactNode {
  return <span className="elapsed">{formatElapsed(useNow(1000) - since)}</span>;
}
