import { snippetMarks } from '@liminal/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findWords, normaliseText, searchWords } from './find-words.ts';
import { snippetParts, snippetOf } from './snippet.ts';

/** Any text, including lone surrogates. */
const anyText = fc.array(fc.nat(0xffff), { maxLength: 40 }).map((codes) => String.fromCharCode(...codes));

describe('a search input', () => {
  it.each([
    ['fix bug', ['fix', 'bug'], true],
    ['fix bug ', ['fix', 'bug'], false],
    ['"fix the bug" now', ['fix the bug', 'now'], true],
    ['"fix the', ['fix the'], false],
    ['foo.bar(baz)', ['foo.bar(baz)'], true],
    ['NEAR( * ^ - : OR', ['NEAR(', 'OR'], true],
    ['   ', [], false],
    ['++ -- \u0000', [], false],
  ])('%j is read as %j', (input, phrases, isOpenEnded) => {
    expect(searchWords(input)).toEqual({ phrases, isOpenEnded });
  });

  it('accepts any input', () => {
    fc.assert(
      fc.property(anyText, (input) => {
        expect(searchWords(input).phrases.length).toBeLessThanOrEqual(12);
      }),
    );
  });
});

describe('finding', () => {
  it.each([
    ['The Wörld ends', 'world', [{ start: 4, end: 9 }]],
    ['a worldly thing', 'world', [{ start: 2, end: 9 }]],
    ['a worldly thing', 'world ', null],
    [
      'foo.bar( baz )',
      'bar baz',
      [
        { start: 4, end: 7 },
        { start: 9, end: 12 },
      ],
    ],
    ['foo.bar( baz )', '"bar baz"', [{ start: 4, end: 12 }]],
    ['quick brown fox', '"quick brown fox" brown fox', [{ start: 0, end: 15 }]],
    ['nothing of it', 'else', null],
  ])('in %j: %j', (text, query, finds) => expect(findWords(text, searchWords(query))).toEqual(finds));

  it('keeps every index when normalising', () => {
    expect(normaliseText('ÀÉÎ Straße İ 😀 ok')).toBe('aei straße i 😀 ok');
    fc.assert(
      fc.property(anyText, (text) => {
        expect(normaliseText(text)).toHaveLength(text.length);
      }),
    );
  });
});

describe('a snippet', () => {
  const { start, end } = snippetMarks;
  it('shows one line around the first match, and marks every match in it', () => {
    const text = `${'lead '.repeat(40)}\nthe needle and\n another NEEDLE here ${'tail '.repeat(80)}`;
    const snippet = snippetOf(text, searchWords('needle'));
    expect(snippet).toContain(`the ${start}needle${end} and another ${start}NEEDLE${end} here`);
    expect(snippet).toMatch(/^….*…$/);
    expect(snippet.length).toBeLessThan(260);
  });

  it('handles markers in the text, no match, and a very long word', () => {
    expect(snippetOf(`a${start}b needle${end}`, searchWords('needle'))).toBe(`a b ${start}needle${end}`);
    expect(snippetOf('other text', searchWords('needle'))).toBe('other text');
    expect(snippetOf('x'.repeat(100_000), searchWords('needle')).length).toBeLessThan(210);
  });

  it('is split into parts for display', () => {
    expect(snippetParts(`a ${start}b${end} c`)).toEqual([
      { text: 'a ', isFind: false },
      { text: 'b', isFind: true },
      { text: ' c', isFind: false },
    ]);
    expect(snippetParts(`${start}open`)).toEqual([{ text: 'open', isFind: false }]);
  });
});
