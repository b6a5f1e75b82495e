import { useEffect, useState, type ReactNode } from 'react';
import { mostCandidates, type Choice, type Project } from '@liminal/contracts';
import { agentsInOrder } from '../../../state/workbench/directory-store.ts';
import { useDirectory, useWorkbench } from '../../../state/workbench/use-workbench.ts';
import { AgentIcon } from '../../../ui/agent-icon.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';

export type ChosenCandidate = { readonly cliType: string; readonly modelId?: string };

type CandidateFieldsProps = {
  readonly project: Project;
  readonly candidates: readonly ChosenCandidate[];
  readonly onChange: (candidates: readonly ChosenCandidate[]) => void;
};

/** Two to five agents or models for one message. */
export function CandidateFields({ project, candidates, onChange }: CandidateFieldsProps): ReactNode {
  const directory = useDirectory();
  const agents = agentsInOrder(directory, project.projectId).filter(({ available }) => available);
  const models = useModels(project.projectId, candidates);
  const set = (place: number, candidate: ChosenCandidate): void =>
    onChange(candidates.map((each, at) => (at === place ? candidate : each)));
  return (
    <fieldset className="start-field">
      <legend className="field-label">Candidates</legend>
      {candidates.map(({ cliType, modelId }, place) => (
        <div key={place} className="candidate-row">
          <AgentIcon agent={cliType} size={14} />
          <select
            className="picker"
            aria-label={`Agent ${place + 1}`}
            value={cliType}
            onChange={(event) => set(place, { cliType: event.target.value })}
          >
            {agents.map((agent) => (
              <option key={agent.cliType} value={agent.cliType}>
                {agent.name}
              </option>
            ))}
          </select>
          {(models.get(cliType)?.length ?? 0) > 0 && (
            <select
              className="picker"
              aria-label={`Model ${place + 1}`}
              value={modelId ?? ''}
              onChange={({ target }) =>
                set(place, target.value === '' ? { cliType } : { cliType, modelId: target.value })
              }
            >
              <option value="">Default model</option>
              {(models.get(cliType) ?? []).map((model) => (
                <option key={model.id} value={model.id}>
                  {model.name}
                </option>
              ))}
            </select>
          )}
          {candidates.length > 2 && (
            <IconButton
              label={`Remove candidate ${place + 1}`}
              onClick={() => onChange(candidates.filter((_, at) => at !== place))}
            >
              <Icon name="close" size={12} />
            </IconButton>
          )}
        </div>
      ))}
      {candidates.length < mostCandidates && (
        <Button
          look="quiet"
          className="candidate-add"
          onClick={() => onChange([...candidates, candidates.at(-1) ?? { cliType: '' }])}
        >
          Add candidate
        </Button>
      )}
      <p className="muted candidate-note">
        {`Each works in its own worktree from ${project.branch ?? 'the current branch'}.`}
      </p>
    </fieldset>
  );
}

/** The options of the chosen agents. Each is asked once; one that doesn't answer offers only its default model. */
function useModels(projectId: string, candidates: readonly ChosenCandidate[]): ReadonlyMap<string, readonly Choice[]> {
  const { api } = useWorkbench();
  const [models, setModels] = useState<ReadonlyMap<string, readonly Choice[]>>(new Map());
  const missing = candidates.map(({ cliType }) => cliType).find((cliType) => !models.has(cliType));
  useEffect(() => {
    if (missing === undefined) return undefined;
    let isWanted = true;
    void api.session.prepare({ projectId, cliType: missing }).then((reply) => {
      const offered = reply.ok ? (reply.value.info.models ?? []) : [];
      if (isWanted) setModels((held) => new Map(held).set(missing, offered));
    });
    return () => {
      isWanted = false;
    };
  }, [api, projectId, missing]);
  return models;
}

/** A likely start for a comparison: the chosen agent and another, or the same twice for two models. */
export function likelyCandidates(chosen: string, available: readonly string[]): readonly ChosenCandidate[] {
  const other = available.find((cliType) => cliType !== chosen) ?? chosen;
  return [{ cliType: chosen }, { cliType: other }];
}
