import type { ReactNode } from 'react';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';

/** Replaces a dialog about a project that was removed meanwhile, for example in another tab. */
export function ProjectRemovedDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { panels } = useWorkbench();
  return (
    <Dialog title="This project was removed" onClose={onClose}>
      <p className="dialog-text">
        Its files stay as they are. To work in this project again, add its folder as a project.
      </p>
      <div className="dialog-actions">
        <Button look="primary" onClick={() => panels.open({ name: 'add-project' })}>
          Add project
        </Button>
      </div>
    </Dialog>
  );
}
