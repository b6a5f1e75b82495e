import type { Choice, SessionInfo } from '@liminal/contracts';
import type { ModelChoice } from '../process/claude-sdk.ts';
import { commandsOf } from '../translate/translate-system.ts';

/** How much Claude Code may do without asking, in our words. */
export const modes: readonly Choice[] = [
  { id: 'default', name: 'Ask', description: 'Asks before it edits files or runs commands.' },
  {
    id: 'acceptEdits',
    name: 'Accept edits',
    description: 'Edits files in the folder without asking; asks before commands.',
  },
  { id: 'plan', name: 'Plan', description: 'Looks around and makes a plan; changes nothing.' },
  { id: 'dontAsk', name: 'Never ask', description: 'Refuses what is not allowed already instead of asking.' },
  {
    id: 'bypassPermissions',
    name: 'Allow everything',
    description: 'Does everything without asking. Only where nothing can break.',
  },
];

const autoMode: Choice = { id: 'auto', name: 'Auto', description: 'A model decides in your place what may be done.' };

export const isMode = (id: string): boolean => modes.some((mode) => mode.id === id) || id === autoMode.id;

/** What a session can choose from, once its process has told. */
export function choicesInfo(
  told: { models: readonly ModelChoice[]; commands: readonly unknown[] },
  modelId: string | undefined,
): SessionInfo {
  const model = told.models.find(({ id }) => id === modelId) ?? told.models[0];
  const efforts = model?.efforts ?? [];
  return {
    modes: [...modes, ...(model?.canDecide ? [autoMode] : [])],
    models: told.models.map(({ id, name, description }) => ({ id, name, ...(description && { description }) })),
    commands: commandsOf(told.commands),
    efforts: efforts.map((id) => ({ id, name: id })),
  };
}
