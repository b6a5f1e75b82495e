import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { hasEscapes, pathBytes, pathText, pathTexts } from './path-text.ts';

it('restores every name byte for byte, whatever bytes it has', () => {
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

it('leaves ordinary names unchanged', () => {
  for (const name of ['a.txt', 'übung/日本語.md', 'emoji 🙂.txt']) {
    expect([pathText(Buffer.from(name)), hasEscapes(name)]).toEqual([name, false]);
  }
  expect(encodeURIComponent(pathText(Buffer.from([0xff, 0xfe])))).toMatch(/^%F4/);
});

it('reads many names with the same result as one by one', () => {
  const name = fc
    .oneof(
      fc.string({ minLength: 1 }).map((text) => Buffer.from(text)),
      fc.uint8Array({ minLength: 1, maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
    )
    .map((bytes) => bytes.filter((byte) => byte !== 0))
    .filter((bytes) => bytes.length > 0)
    .map((bytes) => Buffer.from(bytes));
  fc.assert(
    fc.property(fc.array(name), (names) => {
      const output = Buffer.concat(names.flatMap((each) => [each, Buffer.of(0)]));
      expect(pathTexts(output)).toEqual(names.map(pathText));
    }),
  );
  expect(pathTexts(Buffer.from('a\0b'))).toEqual(['a', 'b']);
});
