import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { hasEscapes, pathBytes, pathText } from './path-text.ts';

it('brings every name back byte for byte, whatever bytes it has', () => {
  const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array));
  const mixed = fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
        bytes,
      ),
    )
    .map((parts) => Buffer.concat(parts));
  const reserved = fc.integer({ min: 0, max: 255 }).map((byte) => Buffer.from(String.fromCodePoint(0x10fe00 + byte)));
  fc.assert(fc.property(fc.oneof(bytes, mixed, reserved), (name) => pathBytes(pathText(name)).equals(name)));
});

it('leaves ordinary names as they are', () => {
  for (const name of ['a.txt', 'übung/日本語.md', 'emoji 🙂.txt']) {
    expect([pathText(Buffer.from(name)), hasEscapes(name)]).toEqual([name, false]);
  }
  expect(encodeURIComponent(pathText(Buffer.from([0xff, 0xfe])))).toMatch(/^%F4/);
});
