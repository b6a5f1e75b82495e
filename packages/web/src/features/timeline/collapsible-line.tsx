import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { useIsDisconnected } from '../../state/workbench/use-workbench.ts';
import { useNow } from '../../state/base/use-now.ts';
import { formatElapsed } from '../../ui/format.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';

type CollapsibleLineProps = {
  readonly icon: IconName;
  readonly expanded: boolean;
  readonly onToggle: (expanded: boolean) => void;
  /** At the right end of the line: the duration. */
  readonly aside?: ReactNode;
  /** Still running: a spinner replaces the icon. */
  readonly isRunning?: boolean;
  readonly tone?: 'failed' | 'waiting';
  readonly children: ReactNode;
  readonly details: () => ReactNode;
};

/** One line that expands on click; its details are rendered only then. */
export function CollapsibleLine({
  icon,
  expanded,
  onToggle,
  isRunning = false,
  tone,
  aside,
  children,
  details,
}: CollapsibleLineProps): ReactNode {
  return (
    <div className={tone === undefined ? 'collapsible' : `collapsible collapsible-${tone}`}>
      <button type="button" className="collapsible-line" aria-expanded={expanded} onClick={() => onToggle(!expanded)}>
        {isRunning ? <RunningMark icon={icon} /> : <Icon name={icon} />}
        <span className="collapsible-label">{children}</span>
        <span className={expanded ? 'collapsible-chevron collapsible-chevron-open' : 'collapsible-chevron'}>
          <Icon name="chevron" size={12} />
        </span>
        {aside !== undefined && aside !== false && aside !== '' && (
          <span className="collapsible-duration">{aside}</span>
        )}
      </button>
      {expanded && <div className="collapsible-details">{details()}</div>}
    </div>
  );
}

/** Screen readers get the verb next to it. While disconnected, nobody knows whether it is still running. */
function RunningMark({ icon }: { readonly icon: IconName }): ReactNode {
  return useIsDisconnected() ? (
    <Icon name={icon} />
  ) : (
    <span className="collapsible-running" aria-hidden="true">
      <StatusBadge status="working" />
    </span>
  );
}

/** Shorter durations aren't interesting, and a number that flashes up makes the line jump. */
const worthSayingMs = 3000;

/** How long a call has been running, once that is worth showing. */
export function RunningFor({ since }: { readonly since: string }): ReactNode {
  const elapsed = useNow(1000) - Date.parse(since);
  // While disconnected, nobody knows whether it is still running.
  const isDisconnected = useIsDisconnected();
  return !isDisconnected && elapsed >= worthSayingMs ? (
    <span className="elapsed elapsed-running">{formatElapsed(elapsed)}</span>
  ) : null;
}
