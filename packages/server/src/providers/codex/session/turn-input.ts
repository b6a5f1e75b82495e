import type { Image } from '@liminal/contracts';

/** A message as the input of a turn. */
export function turnInput(message: string, images: readonly Image[]): readonly object[] {
  const pictures = images.map(({ data, mimeType }) => ({ type: 'image', url: `data:${mimeType};base64,${data}` }));
  return message === '' && pictures.length > 0
    ? pictures
    : [{ type: 'text', text: message, text_elements: [] }, ...pictures];
}
