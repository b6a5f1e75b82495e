import { expect, it } from 'vitest';
import { figuresIn, withFigures } from './figures.ts';

const document = `# x

<!-- torture:begin (everything between here and torture:end is written by npm run torture) -->
| suite | measure | figure |
| :-- | :-- | :-- |
| Old | a | 1 |
| New | b | 2 |
<!-- torture:end -->
after
`;

it('finds figures among other output', () => {
  const output = 'stdout | x.test.ts\nfigure | New | b, long form | 3 of 3\n ✓ passed\nfigure | New | c | 4\n';
  expect(figuresIn(output)).toEqual([
    { suite: 'New', measure: 'b, long form', figure: '3 of 3' },
    { suite: 'New', measure: 'c', figure: '4' },
  ]);
});

it('replaces the figures of a run, and keeps the others and the text', () => {
  const once = withFigures(document, [{ suite: 'New', measure: 'b', figure: '4' }], ['date: today']);
  expect(once).toContain('- date: today');
  expect(once).toContain('| New | b | 4 |');
  expect(once).toContain('| Old | a | 1 |');
  expect(once).not.toContain('| New | b | 2 |');
  expect(once.startsWith('# x\n')).toBe(true);
  expect(once.endsWith('after\n')).toBe(true);
  expect(withFigures(once, [], ['date: today'])).toBe(once);
});
