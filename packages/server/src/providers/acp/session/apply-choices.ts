import type { ProcessLog } from '../../../processes/process-log.ts';
import type { ProviderOptions } from '../../provider.ts';
import { ProviderError } from '../../provider-error.ts';
import type { AcpSession } from './acp-session.ts';
import type { AgentSpec } from '../catalogue/agent-spec.ts';
import type { ChoiceKind } from './choices.ts';
import type { SessionHub } from '../../kit/session-hub.ts';

export type ChoicesToApply = {
  readonly spec: AgentSpec;
  readonly session: Pick<AcpSession, 'choose'>;
  readonly hub: Pick<SessionHub, 'info'>;
  readonly options: ProviderOptions;
  /** The user chose just now, so a choice that cannot be had is a failure. */
  readonly isNew: boolean;
  readonly log: ProcessLog;
};

/**
 * Sends the agent what the user chose: at the start, and again after every load, because agents forget it and may then
 * approve by themselves. A model or effort that is gone by then must not keep a session shut, the agent's own stands in;
 * nor must a mode, as long as our default for it, where a user approves, can stand in.
 */
export async function applyChoices({ spec, session, hub, options, isNew, log }: ChoicesToApply): Promise<void> {
  const { defaultModeId } = spec;
  await apply('model', options.modelId, () => hub.info.modelId);
  await apply('mode', options.modeId ?? defaultModeId, () => hub.info.modeId, defaultModeId);
  // A model brings its own effort, so it is compared after the model is set.
  await apply('effort', options.effort, () => hub.info.effort);

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
