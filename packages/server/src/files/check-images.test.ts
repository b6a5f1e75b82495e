import type { Image } from '@liminal/contracts';
import { describe, expect, it } from 'vitest';
import { checkImages } from './check-images.ts';

const base64 = (...bytes: (number[] | string)[]) =>
  Buffer.concat(
    bytes.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  ).toString('base64');
const png = base64('\x89PNG\r\n\x1a\n', [0, 0, 0, 13]);
const jpeg = base64([0xff, 0xd8, 0xff, 0xe0, 0, 16]);
const gif = base64('GIF89a', [1, 0]);
const webp = base64('RIFF', [4, 0, 0, 0], 'WEBPVP8 ');
const image = (mimeType: Image['mimeType'], data: string, name?: string): Image => ({
  mimeType,
  data,
  ...(name ? { name } : {}),
});

describe('MM-5: images in a message', () => {
  it.each([
    ['image/png', png],
    ['image/jpeg', jpeg],
    ['image/gif', gif],
    ['image/webp', webp],
  ] as const)('accepts %s', (mimeType, data) => expect(checkImages([image(mimeType, data)]).ok).toBe(true));

  it.each([
    [
      'a script with an image’s name',
      image('image/png', base64('<script>alert(1)</script>')),
      "isn't a supported image",
    ],
    ['an SVG', image('image/png', base64('<svg xmlns="http://www.w3.org/2000/svg"/>')), "isn't a supported image"],
    ['a JPEG that says PNG', image('image/png', jpeg, 'cat.png'), '"cat.png" is labelled as PNG, but it is JPEG'],
    ['data that is not base64', image('image/png', 'data:image/png;base64,iVBOR'), "isn't valid base64"],
    ['truncated data', image('image/png', 'abc'), "isn't valid base64"],
    ['more than 5 MB', image('image/png', png + 'A'.repeat(7 * 1024 * 1024)), 'too large'],
  ])('rejects %s with the reason', (_name, wrong, words) => {
    const checked = checkImages([image('image/png', png), wrong]);
    expect(checked).toMatchObject({ ok: false, failure: { code: 'INVALID_REQUEST' } });
    expect(!checked.ok && checked.failure.message).toContain(words);
  });

  it('accepts no images', () => expect(checkImages(undefined).ok).toBe(true));
});
