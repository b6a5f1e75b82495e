import { describe, expect, it } from 'vitest';
import { markFormulas, readMark } from './inline-marks.ts';

/** The formulas of a block: the marks in its code spans. */
const formulasOf = (block: string) =>
  [...markFormulas(block).matchAll(/(`+) (\ue000[^]*?) \1/g)].map(([, , code = '']) => readMark(code));
const formula = (tex: string) => ({ kind: 'formula', tex });
const display = (tex: string) => ({ kind: 'display', tex });

describe('formulas in a text', () => {
  it.each([
    ['so $E = mc^2$ holds', [formula('E = mc^2')]],
    ['($x$, $y_1$)', [formula('x'), formula('y_1')]],
    ['\\(a\\) and \\(b*c*d\\)', [formula('a'), formula('b*c*d')]],
    ['thus $$\\sum_i x_i$$.', [display('\\sum_i x_i')]],
    ['\\[ a = b \\]', [display('a = b')]],
    ['- item\n  $$\n  x^2 % no\n+ y\n  $$', [display('x^2  + y')]],
    ['`` ` `` and $`x`$ stays', []],
  ])('%j', (block, found) => expect(formulasOf(block)).toEqual(found));

  it.each([
    'It costs $5 and $10.',
    'from $5-$10',
    '$HOME and $PATH, $HOME/bin:$PATH',
    '$HOME$',
    '${a}-${b} and `$x^2$`',
    'US$5 (was 7$)',
    'an escaped \\$x^2\\$',
    '\\[WARN\\] and \\[x\\]',
    '```sh\necho $a^$b^\n```',
    '    $x^2$',
    '<b>$x^2$</b>',
    'kill $$ and $$',
    'a $5 fee versus the 6$ fee',
  ])('%j has none', (block) => expect(markFormulas(block)).toBe(block));

  it('leaves code alone that only looks like a mark', () => {
    expect(readMark('x')).toBeNull();
    expect(readMark('\ue000z')).toBeNull();
    expect(readMark('\ue000')).toBeNull();
  });

  it('takes linear time', () => {
    for (const piece of ['$', '\\(', '\\[', '$$', '$a ', '` ', '[^', '``$'])
      expect(markFormulas(piece.repeat(20_000)).length).toBeGreaterThan(0);
  });
});
