import type { ReactNode } from 'react';
import { useCell, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import './failure-notice.css';

/** What was asked for from a menu and did not come about: there is no other place left to say it. */
export function FailureNotice(): ReactNode {
  const { failures } = useWorkbench();
  const failure = useCell(failures);
  return (
    // The region is always there: what is put into one that exists already is announced.
    <div role="alert">
      {failure !== null && (
        <div className="failure-notice">
          <p>
            <strong>{failure.what}</strong> {failure.why}
          </p>
          <IconButton label="Dismiss" onClick={failures.dismiss}>
            <Icon name="close" size={12} />
          </IconButton>
        </div>
      )}
    </div>
  );
}
