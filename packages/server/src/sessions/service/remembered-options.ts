import { fail, ok, type Result, type SessionOptions } from '@liminal/contracts';
import { dangerOf, isDangerousMode, type DescribedMode } from '@liminal/domain/modes/is-dangerous-mode';
import type { PreferenceService } from '../../preferences/preference-service.ts';
import { ProviderError } from '../../providers/provider-error.ts';
import type { CliProvider } from '../../providers/provider.ts';

/** A mode without permission requests is accepted only from a user who confirmed it. */
export function confirmMode(mode: DescribedMode | undefined, provider: CliProvider, confirm = false): Result<null> {
  if (!mode || confirm || !isDangerousMode(mode)) return ok(null);
  return fail('INVALID_REQUEST', `${dangerOf(mode, provider.name)} To choose it anyway, send confirm: true.`);
}

export type Starting<T> = { readonly options: SessionOptions; readonly started: T };

type Place = { readonly projectId: string; readonly cliType: string };

/** The last choices for this agent in this project, overridden by what the user chose now. */
export function chosenOptions(preferences: PreferenceService, { projectId, cliType }: Place, given: SessionOptions) {
  return { ...preferences.choicesOf(projectId)[cliType], ...given };
}

/**
 * Starts with the last choices in this project, overridden by what the user chose now. If the agent no longer knows a
 * remembered model or mode, it starts without them, and they are forgotten.
 */
export async function startWithChoices<T>(
  preferences: PreferenceService,
  place: Place,
  given: SessionOptions,
  start: (options: SessionOptions) => Promise<T>,
): Promise<Starting<T>> {
  const { projectId, cliType } = place;
  const options = chosenOptions(preferences, place, given);
  try {
    return { options, started: await start(options) };
  } catch (error) {
    const isOutdated =
      error instanceof ProviderError && (error.code === 'INVALID_REQUEST' || error.code === 'NOT_SUPPORTED');
    if (!isOutdated || Object.keys(options).length === Object.keys(given).length) throw error;
    const started = await start(given);
    await preferences.forget(projectId, cliType);
    return { options: given, started };
  }
}
