import type { Image } from '@liminal/contracts';

/** The largest image a model accepts, and the total size per message. */
const largest = 5 * 1024 * 1024;
const largestTogether = 20 * 1024 * 1024;
const mostImages = 20;
export const imageTypes = 'image/png,image/jpeg,image/gif,image/webp';

export type ReadImage = { readonly ok: true; readonly image: Image } | { readonly ok: false; readonly why: string };

/** The type of a file by its first bytes; its name and declared type can be wrong. */
export function imageTypeOf(bytes: Uint8Array): Image['mimeType'] | null {
  const starts = (...values: number[]): boolean => values.every((value, index) => bytes[index] === value);
  const isText = (from: number, text: string): boolean =>
    new TextEncoder().encode(text).every((byte, index) => bytes[from + index] === byte);
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (isText(0, 'GIF87a') || isText(0, 'GIF89a')) return 'image/gif';
  if (isText(0, 'RIFF') && isText(8, 'WEBP')) return 'image/webp';
  return null;
}

/** The number of bytes in Base64 text. */
export const sizeOf = (image: Image): number => Math.floor((image.data.length * 3) / 4);

export const base64 = (bytes: Uint8Array): string => {
  const part = 0x8000;
  let binary = '';
  for (let at = 0; at < bytes.length; at += part) binary += String.fromCharCode(...bytes.subarray(at, at + part));
  return btoa(binary);
};

/** Reads a file as an image to send, or returns why it can't be one. */
export async function readImage(file: File, others: readonly Image[]): Promise<ReadImage> {
  const name = file.name === '' ? 'The image' : file.name;
  if (others.length >= mostImages) return { ok: false, why: `A message can have at most ${mostImages} images.` };
  if (file.size > largest) {
    return { ok: false, why: `${name} is ${(file.size / 1024 / 1024).toFixed(1)} MB. The limit is 5 MB.` };
  }
  if (others.reduce((sum, image) => sum + sizeOf(image), file.size) > largestTogether)
    return { ok: false, why: "A message's images can total at most 20 MB." };
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mimeType = imageTypeOf(bytes);
  if (mimeType === null) return { ok: false, why: `${name} isn't a PNG, JPEG, GIF or WebP image.` };
  return { ok: true, image: { mimeType, data: base64(bytes), ...(file.name !== '' && { name: file.name }) } };
}
