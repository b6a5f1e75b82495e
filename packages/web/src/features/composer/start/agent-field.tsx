import type { ReactNode } from 'react';
import type { Project, ProviderSummary } from '@liminal/contracts';
import { mayStart } from '../../../state/sessions/start-form.ts';
import type { NewSession } from '../../../state/sessions/new-sessions.ts';
import { agentsInOrder } from '../../../state/workbench/directory-store.ts';
import { useDirectory, useWorkbench } from '../../../state/workbench/use-workbench.ts';
import { AgentIcon } from '../../../ui/agent-icon.tsx';
import { plural } from '../../../ui/format.ts';
import { StepsText } from '../../../ui/steps-text.tsx';
import { InstallAgent } from './install-agent.tsx';

type AgentFieldProps = { readonly session: NewSession; readonly project: Project };

/** The agents that can start here, to choose one. The others show why they can't and what to do. */
export function AgentField({ session, project }: AgentFieldProps): ReactNode {
  const { newSessions } = useWorkbench();
  const directory = useDirectory();
  const agents = agentsInOrder(directory, project.projectId);
  const ready = agents.filter((agent) => agent.available);
  const absent = agents.filter((agent) => !agent.available);
  return (
    <fieldset className="start-field">
      <legend className="field-label">Agent</legend>
      <div className="agent-cards">
        {ready.map((agent) => (
          <label key={agent.cliType} className="agent-card" title={agent.reason}>
            <input
              type="radio"
              name="agent"
              className="card-input"
              aria-label={agent.name}
              aria-describedby={`agent-${agent.cliType}`}
              checked={agent.cliType === session.cliType}
              onChange={() => newSessions.move(session.id, { projectId: project.projectId, cliType: agent.cliType })}
            />
            <AgentIcon agent={agent.cliType} />
            <span className="agent-card-name">{agent.name}</span>
            <span className="agent-card-state" id={`agent-${agent.cliType}`}>
              {stateOf(agent, project, session)}
            </span>
          </label>
        ))}
      </div>
      {absent.length > 0 && (
        <details className="agents-absent" open={ready.length === 0 || absent.some(({ install }) => install === true)}>
          <summary>{`${plural(absent.length, 'agent')} unavailable`}</summary>
          <ul className="agents-absent-list">
            {absent.map((agent) => (
              <li key={agent.cliType}>
                <strong>{agent.name}</strong>
                <StepsText text={agent.reason ?? "Can't start on this machine."} />
                <InstallAgent agent={agent} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {agents.length === 0 && <p className="muted">Loading agents…</p>}
    </fieldset>
  );
}

/** Its version, and whether it is signed in, if it has reported that. */
function stateOf(agent: ProviderSummary, project: Project, session: NewSession): string {
  const parts = [agent.version ?? '', mayStart(agent, project) ? accountOf(agent, session) : 'Requires trust'];
  return parts.filter((part) => part !== '').join(' · ') || 'Available';
}

function accountOf({ cliType }: ProviderSummary, { cliType: chosen, failure, info }: NewSession): string {
  if (cliType !== chosen) return '';
  if (failure?.code === 'AGENT_AUTH_REQUIRED') return 'not signed in';
  if (failure !== null) return "can't start";
  switch (info.account?.kind) {
    case 'subscription':
    case 'other':
      return 'signed in';
    case 'key':
      return 'API key';
    case 'none':
    case undefined:
      return info.models === undefined ? '' : 'ready';
  }
}
