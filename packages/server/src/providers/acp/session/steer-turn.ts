import { asText, type Loose, asRecord } from '../../kit/read-json.ts';
import { ProviderError } from '../../provider-error.ts';
import type { AgentSpec } from '../catalogue/agent-spec.ts';
import { AgentRefused } from '../connection/failures.ts';
import type { Image } from '@liminal/contracts';

/**
 * Sends a message into the running turn. If that turn has just ended, the agent must not start another by itself: only
 * the owner of the queue starts turns.
 */
export async function steerTurn(
  { name }: Pick<AgentSpec, 'name'>,
  message: { readonly sessionId: string; readonly prompt: readonly object[] },
  ask: (method: string, params: unknown) => Promise<Loose>,
): Promise<void> {
  const params = { ...message, _meta: { steering: { idleBehavior: 'promptRequired' } } };
  const reply = await ask('_session/steering', params).catch((error: unknown) => {
    if (!(error instanceof AgentRefused)) throw error;
    throw new ProviderError('NOT_SUPPORTED', `${name} didn't accept the message: ${error.message}`, error);
  });
  const outcome = asText(reply['outcome']);
  if (outcome === 'promptRequired')
    throw new ProviderError(
      'TURN_NOT_FOUND',
      'The turn ended before the message reached it. Send it as the next message.',
    );
  if (outcome === 'failed')
    throw new ProviderError('PROTOCOL_ERROR', `${name} couldn't steer its turn. Send the message again.`);
}

/** A message as the content blocks of a prompt; images only for an agent that accepts them. */
export function promptBlocks(
  { name }: Pick<AgentSpec, 'name'>,
  initialized: unknown,
  message: string,
  images: readonly Image[],
): readonly object[] {
  const { image } = asRecord(asRecord(asRecord(initialized)['agentCapabilities'])['promptCapabilities']);
  if (images.length > 0 && image !== true) throw new ProviderError('NOT_SUPPORTED', `${name} doesn't accept images.`);
  const pictures = images.map(({ data, mimeType }) => ({ type: 'image', data, mimeType }));
  return message === '' && pictures.length > 0 ? pictures : [{ type: 'text', text: message }, ...pictures];
}
