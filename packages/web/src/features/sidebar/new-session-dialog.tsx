import { useState, type ReactNode } from 'react';
import type { Project, ProviderSummary } from '@liminal/contracts';
import { useDirectory, useWorkbench } from '../../state/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

type NewSessionDialogProps = {
  readonly project: Project;
  readonly onClose: () => void;
  readonly onStarted: () => void;
};

/** Chooses the agent of a new session; one that cannot start says why and what to do. */
export function NewSessionDialog({ project, onClose, onStarted }: NewSessionDialogProps): ReactNode {
  const { api, create, directory } = useWorkbench();
  const { providers } = useDirectory();
  const trusted =
    useDirectory().projects.find((each) => each.projectId === project.projectId)?.trusted ?? project.trusted;
  const [starting, setStarting] = useState<string | null>(null);
  const [failure, setFailure] = useState('');

  const start = async (provider: ProviderSummary): Promise<void> => {
    setStarting(provider.cliType);
    const problem = await create({ cliType: provider.cliType, projectId: project.projectId });
    setStarting(null);
    if (problem !== null) return setFailure(problem.message);
    onClose();
    onStarted();
  };
  const trust = async (): Promise<void> => {
    const reply = await api.trustProject(project.projectId, true);
    if (!reply.ok) return setFailure(reply.failure.message);
    setFailure('');
    await directory.refresh();
  };

  return (
    <Dialog title={`New session in ${project.name}`} onClose={onClose}>
      {!trusted && (
        <div className="trust">
          <p>
            This folder is not trusted yet: its own settings, hooks and tools are ignored. Trust it only if you know
            where it comes from.
          </p>
          <Button onClick={() => void trust()}>Trust this folder</Button>
        </div>
      )}
      <ul className="agent-list">
        {providers.map((provider) => {
          const reason = reasonAgainst(provider, trusted);
          return (
            <li key={provider.cliType}>
              <button
                type="button"
                className="agent"
                disabled={reason !== null || starting !== null}
                onClick={() => void start(provider)}
              >
                <span className="agent-name">{provider.name}</span>
                <span className="muted">
                  {starting === provider.cliType ? 'Starting' : (reason ?? provider.reason ?? '')}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {providers.length === 0 && <p className="muted">The server has not told its agents yet.</p>}
      {failure !== '' && (
        <p className="field-error" role="alert">
          {failure}
        </p>
      )}
    </Dialog>
  );
}

function reasonAgainst(provider: ProviderSummary, trusted: boolean): string | null {
  if (!provider.available) return provider.reason ?? 'It cannot start on this machine.';
  if (!trusted && !provider.capabilities.untrustedFolders) return 'It starts only in a folder you trust.';
  return null;
}
