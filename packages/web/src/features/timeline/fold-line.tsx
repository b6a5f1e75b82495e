import type { ReactNode } from 'react';
import { Icon, type IconName } from '../../ui/icon.tsx';

type FoldLineProps = {
  readonly icon: IconName;
  readonly unfolded: boolean;
  readonly onToggle: (unfolded: boolean) => void;
  /** At the right end of the line: how long it took. */
  readonly aside?: ReactNode;
  readonly tone?: 'failed' | 'waiting';
  readonly children: ReactNode;
  readonly details: () => ReactNode;
};

/** One line that opens on click; what it hides is not even made before that. */
export function FoldLine({ icon, unfolded, onToggle, tone, aside, children, details }: FoldLineProps): ReactNode {
  return (
    <div className={tone === undefined ? 'fold' : `fold fold-${tone}`}>
      <button type="button" className="fold-line" aria-expanded={unfolded} onClick={() => onToggle(!unfolded)}>
        <Icon name={icon} />
        <span className="fold-words">{children}</span>
        <span className={unfolded ? 'fold-chevron fold-chevron-open' : 'fold-chevron'}>
          <Icon name="chevron" size={12} />
        </span>
        {aside !== undefined && aside !== false && aside !== '' && <span className="fold-duration">{aside}</span>}
      </button>
      {unfolded && <div className="fold-details">{details()}</div>}
    </div>
  );
}
