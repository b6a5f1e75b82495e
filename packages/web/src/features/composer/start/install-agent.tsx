import type { ReactNode } from 'react';
import type { ProviderSummary } from '@liminal/contracts';
import { useCell, useWorkbench } from '../../../state/workbench/use-workbench.ts';
import { Button } from '../../../ui/button.tsx';
import { StepsText } from '../../../ui/steps-text.tsx';

/** Installs a missing agent and shows the progress. Renders nothing for agents that the server can't install. */
export function InstallAgent({ agent }: { readonly agent: ProviderSummary }): ReactNode {
  const { installs } = useWorkbench();
  const step = useCell(installs).get(agent.cliType);
  if (agent.install !== true) return null;
  if (step?.state === 'installing') {
    const amount = step.megabytes > 0 ? ` ${step.megabytes} of about ${step.of} MB` : '';
    return (
      <div className="agent-install">
        <progress
          aria-label={`Installing ${agent.name}`}
          max={step.of}
          {...(amount !== '' && { value: step.megabytes })}
        />
        <span role="status">{`Installing ${agent.name}…${amount}`}</span>
      </div>
    );
  }
  return (
    <div className="agent-install">
      {step?.state === 'failed' && (
        <div className="field-error" role="alert">
          <StepsText text={step.message ?? `${agent.name} wasn't installed.`} />
        </div>
      )}
      <Button onClick={() => void installs.start(agent.cliType)}>
        {step?.state === 'failed' ? `Try to install ${agent.name} again` : `Install ${agent.name}`}
      </Button>
    </div>
  );
}
