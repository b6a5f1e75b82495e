import { ok, type Result, type SessionOptions } from '@liminal/contracts';
import { isDangerousMode, type DescribedMode } from '@liminal/domain/modes/is-dangerous-mode';
import type { PreferenceService } from '../../preferences/preference-service.ts';
import { confirmMode } from './remembered-options.ts';
import { type BegunSession, dropSession, type SessionStarts, type SessionRequest } from './session-starts.ts';

export type ConfirmedStart = {
  readonly begun: BegunSession;
  /** The options that the next session may start with, too. */
  readonly lasting: SessionOptions;
};

/**
 * Starts a session and checks its mode again once the agent has described it: before that only its id was known. Unless
 * the user confirmed it, an agent in a mode without permission requests is ended before any message reaches it.
 */
export async function startConfirmed(
  starts: SessionStarts,
  preferences: Pick<PreferenceService, 'forget'>,
  request: SessionRequest,
  confirm = false,
): Promise<Result<ConfirmedStart>> {
  const { provider, project, given } = request;
  const begun = await starts.start(request);
  const mode = modeOf(begun);
  if (!mode || !isDangerousMode(mode)) return ok({ begun, lasting: given });
  const { modeId: chosenNow, ...lasting } = given;
  if (confirm && chosenNow !== undefined) return ok({ begun, lasting });
  begun.ahead?.stop();
  await dropSession(provider, begun.sessionId);
  if (chosenNow !== undefined) {
    const refused = confirmMode(mode, provider);
    if (!refused.ok) return refused;
  }
  // The mode was remembered before the agent described it.
  await preferences.forget(project.projectId, provider.cliType);
  return ok({ begun: await starts.start(request), lasting });
}

function modeOf({ options: { modeId }, info }: BegunSession): DescribedMode | undefined {
  if (modeId === undefined) return undefined;
  return info.modes?.find(({ id }) => id === modeId) ?? { id: modeId };
}
