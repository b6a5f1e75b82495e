import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../ui/icon.tsx';

type CollapsibleLineProps = {
  readonly icon: IconName;
  readonly expanded: boolean;
  readonly onToggle: (expanded: boolean) => void;
  /** At the right end of the line: how long it took. */
  readonly aside?: ReactNode;
  readonly tone?: 'failed' | 'waiting';
  readonly children: ReactNode;
  readonly details: () => ReactNode;
};

/** One line that opens on click; what it hides is not even made before that. */
export function CollapsibleLine({
  icon,
  expanded,
  onToggle,
  tone,
  aside,
  children,
  details,
}: CollapsibleLineProps): ReactNode {
  return (
    <div className={tone === undefined ? 'collapsible' : `collapsible collapsible-${tone}`}>
      <button type="button" className="collapsible-line" aria-expanded={expanded} onClick={() => onToggle(!expanded)}>
        <Icon name={icon} />
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
