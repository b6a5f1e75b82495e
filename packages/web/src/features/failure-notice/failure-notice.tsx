import type { ReactNode } from 'react';
import { useCell, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import './failure-notice.css';

/** Shows the failure of a menu action, which has no other place to be shown. */
export function FailureNotice(): ReactNode {
  const { failures } = useWorkbench();
  const failure = useCell(failures);
  return (
    // The live region always exists: screen readers announce only what is added to an existing one.
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
