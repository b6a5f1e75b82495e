import type { ProviderCapabilities, SessionInfo } from '@liminal/contracts';
import { asRecord, isRecord, type Loose } from '../../kit/read-json.ts';
import type { AgentSpec } from '../catalogue/agent-spec.ts';

/** What an agent has reported about itself so far. */
export type LearntFromAgent = {
  /** Its answer to `initialize`. */
  readonly initialized?: Loose | undefined;
  /** The choices of the session it opened last. */
  readonly choices?: Pick<ProviderCapabilities, 'models' | 'modes' | 'efforts'> | undefined;
};

/** What the agent can do: its entry's guess, corrected by what it has reported. */
export function learntCapabilities(
  { capabilities, withheld = [] }: Pick<AgentSpec, 'capabilities' | 'withheld'>,
  { initialized, choices }: LearntFromAgent,
): ProviderCapabilities {
  const learnt = initialized === undefined ? {} : readCapabilities(initialized);
  const hidden = Object.fromEntries(withheld.map((name) => [name, false]));
  return { ...capabilities, ...learnt, ...choices, ...hidden };
}

function readCapabilities(initialized: Loose): Partial<ProviderCapabilities> {
  const agent = asRecord(initialized['agentCapabilities']);
  const session = asRecord(agent['sessionCapabilities']);
  // Beside the capabilities or among them, depending on the agent.
  const steering = asRecord(asRecord(initialized['_meta'])['steering'] ?? asRecord(agent['_meta'])['steering']);
  return {
    load: agent['loadSession'] === true || isRecord(session['resume']),
    discover: isRecord(session['list']),
    images: asRecord(agent['promptCapabilities'])['image'] === true,
    steer: steering['supported'] === true,
    fork: isRecord(session['fork']),
    ...(!isRecord(session['fork']) && { forkAtTurn: false }),
  };
}

/** A new session lists all choices. A reopened one may omit them, so nothing is removed. */
export function learntChoices(
  { models = [], modes = [], efforts = [] }: SessionInfo,
  known: LearntFromAgent['choices'],
  isNew: boolean,
): LearntFromAgent['choices'] {
  const offered = { models: models.length > 0, modes: modes.length > 0, efforts: efforts.length > 0 };
  if (isNew || !known) return isNew ? offered : undefined;
  return {
    models: known.models || offered.models,
    modes: known.modes || offered.modes,
    efforts: known.efforts || offered.efforts,
  };
}
