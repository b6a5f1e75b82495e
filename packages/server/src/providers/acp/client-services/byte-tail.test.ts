import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createByteTail } from './byte-tail.ts';

/** The longest end of a text that fits without cutting a character, found by trying. */
function endOf(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  for (let from = Math.max(0, bytes.length - limit); ; from += 1) {
    const end = bytes.subarray(from).toString('utf8');
    if (Buffer.from(end).equals(bytes.subarray(from))) return end;
  }
}

describe("the end of a terminal's output", () => {
  it('is as long as the limit allows, in complete characters, however the pieces were split', () => {
    const printed = fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.toWellFormed()));
    fc.assert(
      fc.property(printed, fc.integer({ min: 1, max: 7 }), fc.integer({ min: 0, max: 40 }), (texts, step, limit) => {
        const tail = createByteTail(limit);
        const bytes = Buffer.from(texts.join(''));
        for (let from = 0; from < bytes.length; from += step) {
          tail.push(bytes.subarray(from, from + step));
          if (from % 3 === 0) tail.read();
        }
        expect(tail.read()).toBe(endOf(texts.join(''), limit));
        expect(tail.isCut()).toBe(bytes.length > limit);
      }),
    );
  });

  it('copies no more than it receives while nobody reads', () => {
    const [limit, size, count] = [1024 * 1024, 1024, 20_000];
    const tail = createByteTail(limit);
    const concat = vi.spyOn(Buffer, 'concat');
    const [from, toString] = [vi.spyOn(Buffer, 'from'), vi.spyOn(Buffer.prototype, 'toString')];
    for (let index = 0; index < count; index += 1) tail.push(new Uint8Array(size));
    const copies = concat.mock.calls.length + from.mock.calls.length + toString.mock.calls.length;
    vi.restoreAllMocks();
    expect(copies * limit).toBeLessThan(count * size);
    expect(tail.read()).toHaveLength(limit);
  });
});
