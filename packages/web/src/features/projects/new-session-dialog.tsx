import { useEffect, useState, type ReactNode } from 'react';
import type { Project, ProviderSummary } from '@liminal/contracts';
import type { ApiFailure } from '@liminal/client/call-routes';
import { agentsInOrder } from '../../state/workbench/directory-store.ts';
import { machineTrouble, nameAndMachine } from '../../state/workbench/describe-machine.ts';
import { useDirectory, useWorkbench } from '../../state/workbench/use-workbench.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { plural } from '../../ui/format.ts';
import { StepsText } from '../../ui/steps-text.tsx';
import { TrustText } from './trust-text.tsx';
import './projects.css';

type NewSessionDialogProps = { readonly project: Project; readonly onClose: () => void };

/** Chooses the agent of a new session; one that cannot start says why and what to do. */
export function NewSessionDialog({ project, onClose }: NewSessionDialogProps): ReactNode {
  const { directory: store, newSessions, panels, startSession } = useWorkbench();
  const directory = useDirectory();
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const [asking, setAsking] = useState<ProviderSummary | null>(null);
  const agents = agentsInOrder(directory, project.projectId);
  const ready = agents.filter((agent) => agent.available);
  const absent = agents.filter((agent) => !agent.available);
  const trouble = machineTrouble(project.node);

  // An agent may have been installed, or a login made, since the page was opened.
  useEffect(() => void store.refresh(), [store]);

  // The one that has the focus is the likely choice: its process starts while the person is still reading.
  const [likely] = ready;
  const prepared =
    likely?.capabilities.prepare && trouble === '' && mayStart(likely, project) ? likely.cliType : undefined;
  useEffect(() => {
    if (prepared !== undefined) newSessions.prepare({ cliType: prepared, projectId: project.projectId });
  }, [newSessions, prepared, project.projectId]);

  const start = ({ cliType }: ProviderSummary): void => {
    startSession({ cliType, projectId: project.projectId });
    onClose();
  };
  const choose = (agent: ProviderSummary): void => {
    if (mayStart(agent, project)) start(agent);
    else setAsking(agent);
  };
  const trustAndStart = async (agent: ProviderSummary): Promise<void> => {
    const refusal = await store.trustProject(project.projectId, true);
    if (refusal === null) return start(agent);
    setAsking(null);
    setFailure(refusal);
  };

  if (asking !== null) {
    return (
      <Dialog key="trust" title={`Trust ${project.name}?`} onClose={onClose}>
        <div className="dialog-text">
          <TrustText project={project} blocked={asking.name} />
        </div>
        <div className="dialog-actions">
          <Button data-autofocus onClick={() => setAsking(null)}>
            Back
          </Button>
          <Button look="primary" onClick={() => void trustAndStart(asking)}>
            {`Trust and start ${asking.name}`}
          </Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog key="choose" title="New session" onClose={onClose}>
      {directory.projects.length > 1 ? (
        <label className="field">
          <span className="field-label">Project</span>
          <select
            className="input"
            {...(trouble === '' ? {} : { 'data-autofocus': true })}
            value={project.projectId}
            onChange={(event) => panels.open({ name: 'new-session', projectId: event.target.value })}
          >
            {directory.projects.map((each) => (
              <option key={each.projectId} value={each.projectId} disabled={machineTrouble(each.node) !== ''}>
                {nameAndMachine(each)}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <p className="muted">{`In ${nameAndMachine(project)}`}</p>
      )}
      {trouble !== '' && <p className="field-error">{`Can't start a session: ${trouble}.`}</p>}
      <ul className="agent-list" aria-label="Agents">
        {ready.map((agent, index) => (
          <li key={agent.cliType}>
            <button
              type="button"
              className="agent"
              disabled={trouble !== ''}
              {...(index === 0 && trouble === '' ? { 'data-autofocus': true } : {})}
              onClick={() => choose(agent)}
            >
              <span className="agent-name">{agent.name}</span>
              <span className="muted">{agentNote(agent, project)}</span>
            </button>
          </li>
        ))}
      </ul>
      {absent.length > 0 && (
        <details className="agents-absent" open={ready.length === 0}>
          <summary>{`${plural(absent.length, 'agent')} unavailable`}</summary>
          <ul className="agent-list">
            {absent.map((agent) => (
              <li key={agent.cliType} className="agent-absent">
                <strong>{agent.name}</strong>
                <StepsText text={agent.reason ?? "Can't start on this machine."} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {agents.length === 0 && <p className="muted">Loading agents…</p>}
      {failure !== null && (
        <p className="field-error" role="alert">
          {failure.message}
        </p>
      )}
    </Dialog>
  );
}

function agentNote(agent: ProviderSummary, project: Project): string {
  if (!mayStart(agent, project)) return 'Requires trust';
  return agent.reason ?? '';
}

const mayStart = ({ capabilities }: ProviderSummary, { trusted }: Project): boolean =>
  trusted || capabilities.untrustedFolders;
