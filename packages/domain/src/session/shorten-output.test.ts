import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOutputShortener, shortenOutput } from './shorten-output.ts';

describe('a long output', () => {
  it('is published in full up to its limit', () => {
    const output = 'x'.repeat(64 * 1024);
    expect(shortenOutput(output)).toEqual({ output });
  });

  it('keeps its start and its end, and includes its full length', () => {
    const { output, wholeLength } = shortenOutput(`first${'x'.repeat(10_000_000)}last`);
    expect(wholeLength).toBe(10_000_009);
    expect(output.startsWith('first')).toBe(true);
    expect(output.endsWith('last')).toBe(true);
    expect(output.length).toBeLessThan(66_000);
    expect(output).toContain('characters left out');
  });

  it('is never cut inside a character', () => {
    expect(shortenOutput('😀'.repeat(100_001)).output.isWellFormed()).toBe(true);
  });
});

describe('an output that grows', () => {
  const pieces = fc.array(
    fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.repeat(2_000)),
    {
      maxLength: 30,
    },
  );

  it('is published in the same form as when it comes at once', () => {
    fc.assert(
      fc.property(pieces, (added) => {
        const shortener = createOutputShortener();
        let whole = '';
        for (const text of added) {
          const appendedFrom = whole.length;
          whole += text;
          expect(shortener.take(whole, { appendedFrom, text })).toEqual(shortenOutput(whole));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('is read again if it was replaced, or if the added part is unknown', () => {
    const shortener = createOutputShortener();
    const long = (letter: string, length: number) => letter.repeat(length);
    shortener.take(long('a', 100_000));
    expect(shortener.take(long('b', 100_000))).toEqual(shortenOutput(long('b', 100_000)));
    const skipped = { appendedFrom: 90_000, text: long('c', 20_000) };
    expect(shortener.take(long('c', 110_000), skipped)).toEqual(shortenOutput(long('c', 110_000)));
    expect(shortener.take('short')).toEqual({ output: 'short' });
    expect(shortener.take(long('d', 70_000), { appendedFrom: 5, text: long('d', 69_995) })).toEqual(
      shortenOutput(long('d', 70_000)),
    );
  });
});
