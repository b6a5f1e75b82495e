import type { ReactNode } from 'react';
import type { Project } from '@liminal/contracts';
import { useWorkbench } from '../../state/workbench/use-workbench.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TrustText } from '../../ui/trust-text.tsx';
import './projects.css';

type TrustDialogProps = { readonly project: Project; readonly onClose: () => void };

export function TrustDialog({ project, onClose }: TrustDialogProps): ReactNode {
  const { directory } = useWorkbench();
  return (
    <ConfirmDialog
      title={`Trust ${project.name}?`}
      action="Trust this folder"
      onClose={onClose}
      onConfirm={async () => (await directory.trustProject(project.projectId, true))?.message ?? null}
    >
      <TrustText project={project} />
    </ConfirmDialog>
  );
}
