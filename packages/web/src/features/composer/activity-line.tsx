import type { ReactNode } from 'react';
import { useInfo, usePermissions, useRunningTurn, useStatus } from '../../state/use-session.ts';
import { useNow } from '../../state/use-now.ts';
import { formatCount, formatElapsed } from '../../ui/format.ts';
import { SignMark } from '../../ui/sign-mark.tsx';

/** What the agent is doing, and for how long; and, said aloud once, when that changes. */
export function ActivityLine(): ReactNode {
  const running = useRunningTurn();
  const status = useStatus();
  const isWaiting = usePermissions().length > 0;
  const isWorking = running !== null || status?.activity === 'working';
  return (
    <>
      <span className="visually-hidden" aria-live="polite">
        {isWorking ? 'The agent works' : 'The agent is idle'}
      </span>
      <span className="activity">
        {isWaiting && (
          <>
            <SignMark sign="waiting" /> <span className="activity-waiting">Waiting for you</span>
          </>
        )}
        {!isWaiting && isWorking && (
          <>
            <SignMark sign="working" /> Working {running !== null && <Elapsed since={running.since} />}
          </>
        )}
        {!isWorking && !isWaiting && status?.activity === 'asleep' && 'Asleep; your next message wakes it'}
      </span>
      <ContextUse />
    </>
  );
}

function Elapsed({ since }: { readonly since: number }): ReactNode {
  return <span className="elapsed">{formatElapsed(useNow(1000) - since)}</span>;
}

/** How full the model's context is; answers get worse well before it is full, so that is said early. */
function ContextUse(): ReactNode {
  const { context } = useInfo();
  if (context === undefined || context.size === 0) return null;
  const share = Math.min(100, Math.round((context.used / context.size) * 100));
  // As long as it hardly counts it is only noise.
  if (share < 5) return null;
  const words = `${formatCount(context.used)} of ${formatCount(context.size)} tokens of context used`;
  return (
    <span className={share >= 80 ? 'context-use context-use-high' : 'context-use'} title={words}>
      {`${share}% context`}
    </span>
  );
}
