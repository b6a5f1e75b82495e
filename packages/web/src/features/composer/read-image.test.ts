import { expect, it } from 'vitest';
import { readImage } from './read-image.ts';

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const file = (bytes: Uint8Array<ArrayBuffer>, name: string, type = 'image/png') => new File([bytes], name, { type });

it('detects an image by its content, not by its declared type', async () => {
  expect(await readImage(file(png, 'a.gif', 'image/gif'), [])).toMatchObject({
    ok: true,
    image: { mimeType: 'image/png', name: 'a.gif', data: 'iVBORw0KGgoBAgM=' },
  });
  const text = new TextEncoder().encode('<svg onload=alert(1)>');
  expect(await readImage(file(text, 'a.png'), [])).toEqual({
    ok: false,
    why: "a.png isn't a PNG, JPEG, GIF or WebP image.",
  });
});

it('rejects images that are too large or too many', async () => {
  const large = new Uint8Array(5 * 1024 * 1024 + 1);
  large.set(png);
  expect(await readImage(file(large, 'big.png'), [])).toMatchObject({
    ok: false,
    why: expect.stringContaining('5 MB'),
  });
  const one = { mimeType: 'image/png' as const, data: 'AAAA' };
  const many = Array.from({ length: 20 }, () => one);
  expect(await readImage(file(png, 'a.png'), many)).toMatchObject({ ok: false, why: expect.stringContaining('20') });
});
