import { fail, type Image, ok, type Result } from '@liminal/contracts';

const mostBytes = 5 * 1024 * 1024;

type Kind = Image['mimeType'];
const labels: Record<Kind, string> = {
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'image/gif': 'GIF',
  'image/webp': 'WebP',
};

/**
 * Checks that every image has its declared type and isn't too large. Browsers guess a file's type from its extension.
 */
export function checkImages(images: readonly Image[] = []): Result<null, 'INVALID_REQUEST'> {
  for (const [index, image] of images.entries()) {
    const name = image.name ? `"${image.name}"` : `Image ${index + 1}`;
    const wrong = faultOf(image);
    if (wrong) return fail('INVALID_REQUEST', `${name} ${wrong}`);
  }
  return ok(null);
}

function faultOf({ data, mimeType }: Image): string | null {
  // Base64 encodes three bytes as four characters.
  const bytes = Math.floor((data.length * 3) / 4);
  if (bytes > mostBytes) return `is too large (${(bytes / 1024 / 1024).toFixed(1)} MB). The limit is 5 MB.`;
  if (data.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return "is damaged: its data isn't valid base64.";
  const kind = imageKindOf(Buffer.from(data.slice(0, 32), 'base64'));
  if (kind === null) return "isn't a supported image. Use PNG, JPEG, GIF or WebP.";
  return kind === mimeType ? null : `is labelled as ${labels[mimeType]}, but it is ${labels[kind]}.`;
}

/** The image type according to the first bytes. */
export function imageKindOf(head: Buffer): Kind | null {
  const text = head.toString('latin1');
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'image/webp';
  return null;
}
