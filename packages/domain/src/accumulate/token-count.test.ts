import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenCounter } from './token-count.ts';

const countWhole = (text: string) => text.match(/\S+/g)?.length ?? 0;
const countPieces = (pieces: readonly string[]) => {
  const counter = createTokenCounter();
  return pieces.reduce((sum, piece) => sum + counter.add(piece), 0);
};

describe('token count', () => {
  it('counts runs of non-space characters', () => {
    expect(countPieces([' one  two\n\tthree '])).toBe(3);
    expect(countPieces([''])).toBe(0);
    expect(countPieces(['   '])).toBe(0);
  });

  it('counts a token that arrives in pieces once, where it starts', () => {
    const counter = createTokenCounter();
    expect(['hel', 'lo', ' ', 'wor', 'ld'].map((piece) => counter.add(piece))).toEqual([1, 0, 0, 1, 0]);
  });

  it('treats every character that \\s matches as a space, and no other', () => {
    const units = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));
    expect(units.filter((unit) => countPieces([unit]) !== countWhole(unit))).toEqual([]);
  });

  it('gives the same count piece by piece as for the whole text, even when split inside a surrogate pair', () => {
    const unit = fc.constantFrom('a', 'é', '日', '😀', ' ', '\n', '\u00a0', '\u3000', '\ufeff', '.');
    const anyUnits = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units));
    const splitText = fc.tuple(fc.oneof(fc.string({ unit }), anyUnits), fc.array(fc.nat(200))).map(([text, cuts]) => {
      const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)), text.length].toSorted((a, b) => a - b);
      return { text, pieces: places.slice(1).map((place, index) => text.slice(places[index], place)) };
    });
    fc.assert(
      fc.property(splitText, ({ text, pieces }) => {
        expect(countPieces(pieces)).toBe(countWhole(text));
      }),
      { numRuns: 500 },
    );
  });
});
