import type { Image } from '@liminal/contracts';
import { asRecord } from '../../kit/read-json.ts';
import { ProviderError } from '../../provider-error.ts';
import type { AgentSpec } from '../catalogue/agent-spec.ts';

/** A message as the content blocks of a prompt; images only for an agent that said it takes them. */
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
