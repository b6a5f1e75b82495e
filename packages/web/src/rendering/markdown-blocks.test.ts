import { describe, expect, it } from 'vitest';
import { groupSize, groupsOf, guessHeight, isReadable, sameBlocks, isProse } from './markdown-blocks.ts';
import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { ParsedBlock, ProseBlock } from './markdown-block.tsx';

describe('markdown blocks', () => {
  it('keeps earlier groups identical while a text grows at its end', () => {
    const blocks = Array.from({ length: 40 }, (_, index) => `block ${index}`);
    const before = groupsOf(blocks);
    const after = groupsOf([...blocks, 'one more']);
    expect(before.map((group) => group.length)).toEqual([groupSize, groupSize, 8]);
    expect(before.slice(0, 2).every((group, index) => sameBlocks(group, after[index] ?? []))).toBe(true);
    expect(groupsOf([])).toEqual([]);
  });

  it('shows text as plain text that would exhaust the parser’s stack or block the page', () => {
    expect(isReadable('x'.repeat(1001), 1000)).toBe(false);
    expect(isReadable(`${'> '.repeat(500)}deep`, 1000)).toBe(false);
    expect(isReadable(`- a\n${'  '.repeat(60)}- b`, 1000)).toBe(false);
    expect(isReadable('['.repeat(400), 1000)).toBe(false);
    expect(isReadable(`|a\n${'|-'.repeat(400)}`, 1000)).toBe(false);
  });

  it('parses ordinary text', () => {
    expect(isReadable('> > quoted\n\n- a\n  - b\n    - c', 1000)).toBe(true);
    expect(isReadable(`${'-'.repeat(80)}\n\n${'*'.repeat(20)}`, 1000)).toBe(true);
  });

  it('estimates a height that grows with the text', () => {
    expect(guessHeight('short')).toBe(24);
    expect(guessHeight('x'.repeat(850))).toBe(240);
    expect(guessHeight('a\n'.repeat(100))).toBeGreaterThan(1200);
  });
});

/** The elements and text of a block, without the library's wrappers. */
const inside = (markup: string): string => markup.replaceAll(/<div[^>]*>|<\/div>| dir="auto"/g, '');
const parsed = (text: string, growing: boolean) =>
  inside(renderToStaticMarkup(createElement(ParsedBlock, { text, growing })));
const asProse = (text: string) => inside(renderToStaticMarkup(createElement(ProseBlock, { text })));

describe('prose', () => {
  it.each([
    'Hello there.',
    'It works (mostly): see the docs, or ask!',
    '会话是一条由回合组成的线。',
    'Ends in a line break\n',
    'a - b / c',
  ])('includes %j', (text) => {
    expect(isProse(text)).toBe(true);
    expect(asProse(text)).toBe(parsed(text, false));
  });

  it.each([
    '**bold**',
    'some `code`',
    'see [this](x)',
    '1. one',
    '- one',
    '# title',
    'see www.example.org',
    'see https://example.org',
    'write to me@example.org',
    'two\nlines',
    'a\n===',
    '    code',
    'a & b',
    'x < y',
    'snake_case',
    '',
    'turned \u202e round',
  ])('doesn’t include %j', (text) => expect(isProse(text)).toBe(false));

  it('is drawn the same as by the parser, for any text', () => {
    const piece = fc.oneof(
      fc.constantFrom('www', 'http', ':', '/', '//', '.', 'mailto:', 'a', 'I', '1.', '-', '--', '(c)', '...', '"', "'"),
      fc.constantFrom(' ', '  ', '\n', '%', '!', '?', ';', '…', '—', '。', '，', 'é', '会', 'اب', 'x.org', 'e.g.'),
      fc.stringMatching(/^[a-zA-Z0-9 ,.;:?!'"()/%-]{1,8}$/),
    );
    const line = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(line.filter(isProse), fc.boolean(), (text, growing) => {
        expect(asProse(text)).toBe(parsed(text, growing));
      }),
      { numRuns: 300 },
    );
  });
});
