import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MarkdownReader } from './markdown-reader.ts';

const blocksOf = (text: string, growing = false): string[] => new MarkdownReader().read(text, growing).flat();
const trimmed = (text: string): string[] => blocksOf(text).map((block) => block.trim());

describe('markdown reader', () => {
  it('splits a text into blocks that can be drawn separately', () => {
    const parts = [
      '# Title',
      'A paragraph\nof two lines.',
      '- a\n\n  more\n\n- b',
      '```js\na\n\nb\n```',
      '| a |\n|---|\n| 1 |',
      '> quoted',
    ];
    expect(trimmed(parts.join('\n\n'))).toEqual(parts);
    expect(blocksOf('')).toEqual([]);
    expect(blocksOf('\n\n')).toEqual([]);
    expect(trimmed('one\r\n\r\ntwo\r\rthree')).toEqual(['one', 'two', 'three']);
  });

  it('splits a text with tags and formulas, or something like them, like any other', () => {
    const parts = ['Match `[^a-z]` first.', '<details>', 'Promise<void>', 'kill $$', '<!-- shut -->', 'The end.'];
    expect(trimmed(parts.join('\n\n'))).toEqual(parts);
  });

  it('adds the links to each block that refers to them, wherever they are defined', () => {
    const [first, second, third] = blocksOf(
      'See [the Docs][docs].\n\nNothing here.\n\nOr [home].\n\n[DOCS]: https://a.example "So"\n[home]: /b\n',
    );
    expect(first).toBe('See [the Docs][docs].\n\n[docs]: <https://a.example> "So"');
    expect(second).toBe('Nothing here.');
    expect(third).toBe('Or [home].\n\n[home]: </b>');
  });

  it('ignores names in code, and shows an unused definition', () => {
    expect(trimmed('```\n[docs]\n```\n\n[docs]: /a')).toEqual(['```\n[docs]\n```', '\\[docs]: /a']);
    expect(trimmed('[WARN]: disk')).toEqual(['\\[WARN]: disk']);
  });

  it('draws a long list in pieces with continuous numbers', () => {
    const list = (mark: (index: number) => string): string =>
      Array.from({ length: 40 }, (_, index) => `${mark(index)} item\n  more`).join('\n');
    expect(blocksOf(list(() => '-')).map((block) => block.match(/item/g)?.length)).toEqual([16, 16, 8]);
    const numbered = blocksOf(list((index) => `${index + 3}.`));
    expect(numbered.map((block) => Number.parseInt(block, 10))).toEqual([3, 19, 35]);
    expect(blocksOf(list(() => '1.')), 'one that is numbered by the reader').toHaveLength(1);
    expect(blocksOf(list(() => '-')).join('')).toBe(list(() => '-'));
  });

  it('shows a link only once its definition is written', () => {
    const reader = new MarkdownReader();
    expect(reader.read('See [docs].\n\n[docs]: https://a.ex', true).flat()[0]).toBe('See [docs].');
    expect(reader.read('See [docs].\n\n[docs]: https://a.example\n', false).flat()[0]).toContain('<https://a.example>');
  });

  it('marks footnotes and their references, wherever they are', () => {
    const mark = (label: string) => `\` \ue000n${label} \``;
    expect(trimmed('Said[^1] so.\n\n[^1]: By whom\n[^2]: When\n    and where')).toEqual([
      `Said${mark('1')} so.`,
      '\ue0011\nBy whom',
      '\ue0012\nWhen\nand where',
    ]);
    expect(trimmed('Match [^a-z] and `[^1]`.\n\n[^1]: Whom')).toEqual(['Match [^a-z] and `[^1]`.', '\ue0011\nWhom']);
    expect(trimmed('> [^1]: quoted')).toEqual(['> [^1]: quoted']);
  });

  it('keeps a multi-line formula whole, unless another block starts in it', () => {
    const formula = '$$\na\n- b\n= c\n$$';
    expect(trimmed(`where\n${formula}\nholds`)).toEqual(['where', formula, 'holds']);
    expect(trimmed('\\[\nx\n+ y\n\\]')).toEqual(['\\[\nx\n+ y\n\\]']);
    expect(trimmed('$$\na\n# title\n$$')).toEqual(['$$\na', '# title', '$$']);
  });

  it('splits by empty lines what would exhaust the lexer’s stack', () => {
    const deep = `${'>'.repeat(5000)} deep`;
    expect(trimmed(`one\n\n${deep}\n\ntwo`)).toEqual(['one', deep, 'two']);
  });

  it('keeps finished groups identical while a text grows, even if a link is defined later', () => {
    const reader = new MarkdownReader();
    const text = Array.from({ length: 40 }, (_, index) => `Paragraph ${index} of [a].`).join('\n\n');
    const before = reader.read(text, true);
    const after = reader.read(`${text} And more.\n\nAgain.`, true);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).toBe(before[1]);
    const linked = reader.read(`${text} And more.\n\nAgain.\n\n[a]: /b\n\nEnd.`, true);
    expect(linked.flat().filter((block) => block.includes('[a]: </b>'))).toHaveLength(40);
  });

  it('starts over for a different text', () => {
    const reader = new MarkdownReader();
    reader.read('one [a]\n\ntwo\n\nthree\n\n[a]: /b', false);
    expect(reader.read('other [a]\n\ntwo', false)).toEqual([['other [a]', 'two']]);
  });

  it.each([
    ['a formula', '$$\n$$ a $$\n[a]: /url\n[b]: <x y> "t"\n==='],
    ['a footnote', 'said[^1]\n[^1]: note\n[a]: /url\n[b]: /url\n[c]: /url\n==='],
  ])('doesn’t mistake %s for part of an underlined heading', (_, text) => {
    const reader = new MarkdownReader();
    for (let length = 1; length < text.length; length += 1) reader.read(text.slice(0, length), true);
    expect(reader.read(text, false)).toEqual(new MarkdownReader().read(text, false));
  });

  it('reads a growing text the same as the whole', () => {
    const line = fc.constantFrom(
      '',
      '',
      '',
      'words',
      '# title',
      '- item',
      '- item\n'.repeat(17).trim(),
      '  - inner',
      '1. first',
      '    indented',
      '```',
      '~~~js',
      '> quote',
      '***',
      '---',
      '===',
      '| a | b |',
      '|---|---|',
      '[a]: /url',
      '[b]: <x y> "t"',
      '[^1]: note',
      'said[^1]',
      '    more',
      '\\[',
      'x \\]',
      '$$ a $$',
      'see [a] and [b][]',
      '<div>',
      '<!--',
      '-->',
      '</pre>',
      '<pre>',
      '\t- tab',
      '$$',
      '\\',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const text = lines.join('\n');
        const reader = new MarkdownReader();
        for (let length = 1; length < text.length; length += 1) reader.read(text.slice(0, length), true);
        expect(reader.read(text, false)).toEqual(new MarkdownReader().read(text, false));
      }),
      { numRuns: 200 },
    );
  });

  it('reads a complete text the same as one that grew', () => {
    const paragraph = `${'word '.repeat(400)}\n\n`;
    expect(blocksOf(paragraph.repeat(100))).toHaveLength(100);
    expect(blocksOf('x'.repeat(1_000_000))).toHaveLength(1);
    expect(blocksOf(`\`\`\`\n${'x'.repeat(500_000)}\n\`\`\`\n\n${'a\n\n'.repeat(200_000)}`)).toHaveLength(200_001);
  });
});
