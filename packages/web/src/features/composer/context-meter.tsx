import type { ReactNode } from 'react';
import { useInfo } from '../../state/sessions/use-session.ts';
import { formatCount } from '../../ui/format.ts';

const around = 2 * Math.PI * 6;

/** How full the model's context is. Shown early, because answers get worse well before it is full. */
export function ContextMeter(): ReactNode {
  const { context } = useInfo();
  if (context === undefined || context.size === 0) return null;
  const share = Math.min(100, Math.round((context.used / context.size) * 100));
  const label = `${formatCount(context.used)} of ${formatCount(context.size)} tokens of context used`;
  return (
    <span className={share >= 80 ? 'context-meter context-meter-high' : 'context-meter'} title={label}>
      <span
        className="context-ring"
        role="meter"
        aria-label="Context used"
        aria-valuenow={share}
        aria-valuetext={label}
      >
        <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" fill="none" strokeWidth="2.4">
          <circle className="context-ring-whole" cx="8" cy="8" r="6" />
          <circle
            className="context-ring-used"
            cx="8"
            cy="8"
            r="6"
            strokeDasharray={`${(Math.max(share, 2) / 100) * around} ${around}`}
            transform="rotate(-90 8 8)"
          />
        </svg>
      </span>
      {`${share}%`}
    </span>
  );
}
