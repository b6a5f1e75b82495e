import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonPieces } from './json-pieces.ts';

describe('a message in pieces', () => {
  it('is the same line as when encoded at once, however long its texts are', () => {
    const text = fc
      .tuple(fc.string({ unit: 'binary', maxLength: 5 }), fc.constantFrom(1, 5_000))
      .map(([part, times]) => part.repeat(times));
    const value = fc.oneof(text, fc.array(text, { maxLength: 2 }), fc.integer());
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value, { maxKeys: 4 }), (result) => {
        const message = { jsonrpc: '2.0', id: 1, result };
        const line = [...jsonPieces(message)].join('');
        expect(line === `${JSON.stringify(message)}\n`).toBe(true);
      }),
      { numRuns: 15 },
    );
  }, 30_000);

  it('has no piece that takes long to encode', () => {
    const lengths = [...jsonPieces({ content: '\u0001'.repeat(4_000_000) })].map((piece) => piece.length);
    expect(Math.max(...lengths)).toBeLessThan(200_000);
  });
});
