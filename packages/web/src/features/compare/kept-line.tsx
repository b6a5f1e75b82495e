import type { ReactNode } from 'react';
import type { Comparison } from '@liminal/contracts';
import { Button } from '../../ui/button.tsx';

type KeptLineProps = {
  readonly comparison: Comparison;
  readonly names: ReadonlyMap<string, string>;
  readonly onUndo: () => void;
};

/** Which candidate was kept, and undo while it is possible. */
export function KeptLine({ comparison: { kept, base }, names, onUndo }: KeptLineProps): ReactNode {
  return (
    <div role="status">
      {kept !== undefined && (
        <div className="compare-kept">
          <span>
            {`${names.get(kept.candidateId) ?? 'One candidate'} is kept`}
            {kept.commit === undefined ? '. ' : ` and merged into ${base}. `}
            {kept.parked ? 'The others are parked.' : (kept.error ?? 'The others will be parked in a moment.')}
          </span>
          {!kept.parked && (
            <Button look="quiet" onClick={onUndo}>
              Undo
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
