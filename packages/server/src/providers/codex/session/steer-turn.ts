import type { Loose } from '../../kit/read-json.ts';
import { AgentRefused } from '../../acp/connection/failures.ts';
import { ProviderError } from '../../provider-error.ts';
import type { Image } from '@liminal/contracts';

export type Steering = {
  readonly threadId: string;
  /** Codex's own id of the turn; undefined if none runs. */
  readonly expectedTurnId: string | undefined;
  readonly clientUserMessageId: string | undefined;
  readonly input: readonly object[];
};

/** Sends a message into the running turn; one that has just ended no longer accepts it. */
export async function steerTurn(
  ask: (method: string, params: unknown) => Promise<Loose>,
  steering: Steering,
): Promise<void> {
  if (steering.expectedTurnId === undefined) throw new ProviderError('TURN_NOT_FOUND', 'No turn is running.');
  await ask('turn/steer', steering).catch((error: unknown) => {
    if (!(error instanceof AgentRefused)) throw error;
    if (/no active turn|expected active turn|not found/i.test(error.message)) {
      const message = 'The turn ended before the message reached it. Send it as the next message.';
      throw new ProviderError('TURN_NOT_FOUND', message, error);
    }
    throw new ProviderError('NOT_SUPPORTED', `Codex didn't accept the message into its turn: ${error.message}`, error);
  });
}

/** A message as the input of a turn. */
export function turnInput(message: string, images: readonly Image[]): readonly object[] {
  const pictures = images.map(({ data, mimeType }) => ({ type: 'image', url: `data:${mimeType};base64,${data}` }));
  return message === '' && pictures.length > 0
    ? pictures
    : [{ type: 'text', text: message, text_elements: [] }, ...pictures];
}
