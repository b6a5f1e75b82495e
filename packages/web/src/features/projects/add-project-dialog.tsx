import type { ReactNode } from 'react';
import { useFolders } from '../../state/workbench/use-folders.ts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FolderForm } from '../../ui/folder-form.tsx';

/** A folder to work in; once it is there, the next step is a session in it. */
export function AddProjectDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { directory, panels } = useWorkbench();
  return (
    <Dialog title="Add project" onClose={onClose} wide>
      <FolderForm
        useChoices={useFolders}
        onAdd={async (dir) => (await directory.addProject(dir))?.message ?? null}
        onAdded={() => {
          const added = directory.get().projects.at(-1);
          if (added === undefined) onClose();
          else panels.open({ name: 'new-session', projectId: added.projectId });
        }}
      />
    </Dialog>
  );
}
