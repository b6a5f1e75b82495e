import type { ReactNode } from 'react';
import type { Project, ProviderSummary } from '@liminal/contracts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { TrustText } from '../../../ui/folders/trust-text.tsx';
import type { Start } from './use-start.ts';

type TrustStepProps = { readonly project: Project; readonly agent: ProviderSummary; readonly start: Start };

/** What the user has to agree to before this agent starts in this folder. */
export function TrustStep({ project, agent, start }: TrustStepProps): ReactNode {
  return (
    <Dialog key="trust" title={`Trust ${project.name}?`} onClose={start.back}>
      <div className="dialog-text">
        <TrustText project={project} blocked={agent.name} />
      </div>
      <div className="dialog-actions">
        <Button data-autofocus onClick={start.back}>
          Back
        </Button>
        <Button look="primary" onClick={() => void start.trustAndSubmit()}>
          {`Trust and start ${agent.name}`}
        </Button>
      </div>
    </Dialog>
  );
}
