import type { Choice, SessionInfo } from '@liminal/contracts';
import type { SessionHub } from '../../kit/session-hub.ts';
import type { ProviderOptions } from '../../provider.ts';
import { ProviderError, asProviderError } from '../../provider-error.ts';
import type { ClaudeProcess } from '../process/claude-process.ts';
import type { ModelChoice } from '../process/claude-sdk.ts';
import { commandsOf } from '../translate/translate-system.ts';

/** How much Claude Code may do without asking, in our own wording. */
const modes: readonly Choice[] = [
  { id: 'default', name: 'Ask', description: 'Asks before edits and commands.' },
  {
    id: 'acceptEdits',
    name: 'Accept edits',
    description: 'Edits files in the folder without asking. Asks before commands.',
  },
  { id: 'plan', name: 'Plan', description: 'Reads and plans. Changes nothing.' },
  { id: 'dontAsk', name: 'Never ask', description: 'Rejects whatever is not already allowed, without asking.' },
  {
    id: 'bypassPermissions',
    name: 'Allow everything',
    description: 'Does everything without asking. Use only in a sandbox.',
  },
];

const autoMode: Choice = { id: 'auto', name: 'Auto', description: 'A model decides what is allowed, instead of you.' };

const isMode = (id: string): boolean => modes.some((mode) => mode.id === id) || id === autoMode.id;

/** The user's choices for a session: sent to its process while it has one, and to the next one it starts. */
export type ClaudeOptions = {
  readonly current: ProviderOptions;
  setModel(modelId: string): Promise<void>;
  setMode(modeId: string): Promise<void>;
  setEffort(effort: string): Promise<void>;
  /** Claude Code reports the actual model; the user keeps seeing their choice, which may be an alias. */
  named(reported: SessionInfo): SessionInfo;
  /** Applies changes; a change of trust needs a new process. */
  update(next: ProviderOptions): Promise<void>;
};

export type ClaudeOptionsDeps = {
  readonly hub: SessionHub;
  process(): ClaudeProcess | undefined;
  isBusy(): boolean;
};

export function createClaudeOptions(
  first: ProviderOptions,
  { hub, process, isBusy }: ClaudeOptionsDeps,
): ClaudeOptions {
  let current = first;
  hub.learn({
    modes: [...modes],
    modeId: first.modeId ?? 'default',
    ...(first.modelId && { modelId: first.modelId }),
    ...(first.effort && { effort: first.effort }),
  });

  async function choose(change: ProviderOptions, apply: (running: ClaudeProcess) => Promise<void>): Promise<void> {
    const running = process();
    if (running?.isAlive) {
      await apply(running).catch((error: unknown) => {
        throw asProviderError(error, 'INVALID_REQUEST', "Claude Code doesn't accept this choice");
      });
    }
    current = { ...current, ...change };
  }

  return {
    get current() {
      return current;
    },
    async setModel(modelId) {
      await choose({ modelId }, (running) => running.setModel(modelId));
      hub.learn({ modelId });
    },
    async setMode(modeId) {
      if (!isMode(modeId)) throw new ProviderError('INVALID_REQUEST', `Claude Code has no mode "${modeId}".`);
      const running = process();
      // A process not started for this mode never accepts it: the next message starts one that does.
      if (modeId === 'bypassPermissions' && running?.isAlive && !running.mayBypass) {
        if (isBusy())
          throw new ProviderError('NOT_SUPPORTED', 'You can choose this mode when the running turn has ended.');
        await running.kill();
      }
      await choose({ modeId }, (alive) => alive.setMode(modeId));
      hub.learn({ modeId });
    },
    async setEffort(effort) {
      await choose({ effort }, (running) => running.setEffort(effort));
      hub.learn({ effort });
    },
    named: (reported) =>
      reported.modelId === undefined || current.modelId === undefined
        ? reported
        : { ...reported, modelId: current.modelId },
    async update(next) {
      const trustChanged = next.trusted !== undefined && next.trusted !== (current.trusted ?? false);
      current = { ...current, ...next };
      // Which folder settings a process may read is fixed when it starts.
      if (trustChanged && !isBusy()) await process()?.kill();
    },
  };
}

/** The choices of a session, once the process has reported them. */
export function choicesInfo(
  reported: { models: readonly ModelChoice[]; commands: readonly unknown[] },
  modelId: string | undefined,
): SessionInfo {
  const model = reported.models.find(({ id }) => id === modelId) ?? reported.models[0];
  const efforts = model?.efforts ?? [];
  return {
    modes: [...modes, ...(model?.canDecide ? [autoMode] : [])],
    models: reported.models.map(({ id, name, description }) => ({ id, name, ...(description && { description }) })),
    commands: commandsOf(reported.commands),
    efforts: efforts.map((id) => ({ id, name: id })),
  };
}
