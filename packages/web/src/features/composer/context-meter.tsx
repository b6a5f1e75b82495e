import type { ReactNode } from 'react';
import { useInfo } from '../../state/sessions/use-session.ts';
import { formatCount } from '../../ui/format.ts';

/** How full the model's context is; answers get worse well before it is full, so that is said early. */
export function ContextMeter(): ReactNode {
  const { context } = useInfo();
  if (context === undefined || context.size === 0) return null;
  const share = Math.min(100, Math.round((context.used / context.size) * 100));
  const words = `${formatCount(context.used)} of ${formatCount(context.size)} tokens of context used`;
  return (
    <span className={share >= 80 ? 'context-meter context-meter-high' : 'context-meter'} title={words}>
      <span className="context-bar" role="meter" aria-label="Context used" aria-valuenow={share} aria-valuetext={words}>
        <span style={{ inlineSize: `${Math.max(share, 2)}%` }} />
      </span>
      {`${share}%`}
    </span>
  );
}
