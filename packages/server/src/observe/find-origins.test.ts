import { SourceMap } from 'node:module';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findOrigins } from './find-origins.ts';

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
function encoded(value: number): string {
  let [rest, text] = [value < 0 ? (-value << 1) | 1 : value << 1, ''];
  do {
    text += digits[(rest & 31) | (rest > 31 ? 32 : 0)];
    rest >>= 5;
  } while (rest > 0);
  return text;
}

/** A segment: its distance from the one before in the build, and its place in the sources. */
const segment = fc.tuple(fc.integer({ min: 1, max: 3_000 }), fc.nat(4), fc.nat(90_000), fc.nat(900));

it('finds what Node’s own source maps find', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(segment, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 20 }),
      (lines) => {
        let before = [0, 0, 0];
        const texts = lines.map((segments) =>
          segments.map(([distance, ...place]) => {
            const steps = place.map((value, index) => value - (before[index] ?? 0));
            before = place;
            return [distance, ...steps].map(encoded).join('');
          }),
        );
        const mappings = texts.map((each) => each.join(',')).join(';');
        const sources = Array.from({ length: 5 }, (_, index) => `${index}.ts`);
        const map = new SourceMap({
          version: 3,
          file: '',
          sources,
          sourcesContent: [],
          names: [],
          mappings,
          sourceRoot: '',
        });
        const wanted = lines.map((segments, line) => ({
          line,
          column: segments.reduce((sum, [step]) => sum + step, 0) - 1,
        }));
        const found = findOrigins(mappings, wanted).map(
          (origin) => origin && [origin.source, origin.line, origin.column],
        );
        const expected = wanted.map(({ line, column }) => {
          // Node continues with the line before if this one has nothing to the left.
          if (column < (lines[line]?.[0]?.[0] ?? 0)) return null;
          const entry = map.findEntry(line, column);
          return 'originalSource' in entry
            ? [sources.indexOf(entry.originalSource), entry.originalLine, entry.originalColumn]
            : null;
        });
        expect(found).toEqual(expected);
      },
    ),
  );
});

it('finds nothing before the first mapping of a line, or beyond the last line', () => {
  const positions = [
    { line: 0, column: 0 },
    { line: 1, column: 1 },
    { line: 1, column: 9 },
    { line: 5, column: 0 },
  ];
  // Line 1, column 2 of the build is line 4, column 3 of the first source.
  expect(findOrigins(';EAIG', positions)).toEqual([null, null, { source: 0, line: 4, column: 3 }, null]);
});
