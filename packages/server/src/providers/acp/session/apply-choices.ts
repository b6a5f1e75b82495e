import type { ProcessLog } from '../../../processes/process-log.ts';
import type { ProviderOptions } from '../../provider.ts';
import { ProviderError } from '../../provider-error.ts';
import type { AcpSession } from './acp-session.ts';
import type { AgentSpec } from '../catalogue/agent-spec.ts';
import type { ChoiceKind } from './choices.ts';

export type ChoicesToApply = {
  readonly spec: AgentSpec;
  readonly session: Pick<AcpSession, 'choose' | 'chosen'>;
  readonly options: ProviderOptions;
  /** The user chose just now, so an unavailable choice is a failure. */
  readonly isNew: boolean;
  readonly log: ProcessLog;
};

/**
 * Sends the agent the user's choices: at the start, and again after every load, because agents forget them and may then
 * approve by themselves. If a model or effort is no longer available, the session opens with the agent's own. If a mode
 * isn't, it opens only with our default mode, in which the user approves.
 */
export async function applyChoices({ spec, session, options, isNew, log }: ChoicesToApply): Promise<void> {
  const { defaultModeId } = spec;
  await apply('model', options.modelId, () => session.chosen().modelId);
  await apply('mode', options.modeId ?? defaultModeId, () => session.chosen().modeId, defaultModeId);
  // A model has its own effort, so effort is compared after the model is set.
  await apply('effort', options.effort, () => session.chosen().effort);

  async function apply(
    kind: ChoiceKind,
    wanted: string | undefined,
    current: () => string | undefined,
    instead?: string,
  ): Promise<void> {
    if (wanted === undefined || wanted === current()) return;
    try {
      await session.choose(kind, wanted);
    } catch (error) {
      const isGone = error instanceof ProviderError && ['INVALID_REQUEST', 'NOT_SUPPORTED'].includes(error.code);
      if (isNew || !isGone) throw error;
      log.warn({ agent: spec.id, kind, wanted }, "an agent no longer accepts the user's choice");
      if (kind === 'mode' && instead !== wanted) {
        if (instead === undefined) throw error;
        if (instead !== current()) await session.choose(kind, instead);
      } else if (kind === 'mode') throw error;
    }
  }
}
