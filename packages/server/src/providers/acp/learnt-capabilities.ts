import type { ProviderCapabilities } from '@liminal/contracts';
import { asRecord, isRecord, type Loose } from '../loose.ts';
import type { AgentSpec } from './agent-spec.ts';

/** What the agent can do: the guess of its entry, corrected by what it answered to `initialize`, if it was asked yet. */
export function learntCapabilities(
  { capabilities, withheld = [] }: Pick<AgentSpec, 'capabilities' | 'withheld'>,
  initialized: Loose | undefined,
): ProviderCapabilities {
  const learnt = initialized === undefined ? {} : readCapabilities(initialized);
  const hidden = Object.fromEntries(withheld.map((name) => [name, false]));
  return { ...capabilities, ...learnt, ...hidden };
}

function readCapabilities(initialized: Loose): Partial<ProviderCapabilities> {
  const agent = asRecord(initialized['agentCapabilities']);
  const session = asRecord(agent['sessionCapabilities']);
  // Said beside the capabilities or among them, depending on the agent.
  const steering = asRecord(asRecord(initialized['_meta'])['steering'] ?? asRecord(agent['_meta'])['steering']);
  return {
    load: agent['loadSession'] === true || isRecord(session['resume']),
    discover: isRecord(session['list']),
    images: asRecord(agent['promptCapabilities'])['image'] === true,
    steer: steering['supported'] === true,
    fork: isRecord(session['fork']),
  };
}
