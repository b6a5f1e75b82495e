import { expect, it } from 'vitest';
import type { Row } from '../bench.ts';
import { markdownTable, textTable } from './table.ts';

const rows: Row[] = [
  { measure: 'plain', value: 12, unit: 'ms' },
  {
    measure: 'a|b',
    value: 4,
    unit: 'ms',
    baseline: 1,
    ratio: 4,
    noise: 0.02,
    budget: 'NFR-3 near a bare socket',
  },
];

it('aligns columns in a terminal', () => {
  expect(textTable(rows).split('\n')).toEqual([
    'measure  value  unit  noise  baseline  ratio         budget  verdict',
    'plain     12.0  ms',
    'a|b       4.00  ms    ± 2 %      1.00  4.00×  ≤ 1.1× + 1 ms  missed',
  ]);
});

it('is a Markdown table with missed budgets in bold', () => {
  const lines = markdownTable(rows).split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[2]).toBe('| plain | 12.0 | ms |  |  |  |  |  |');
  expect(lines[3]).toBe('| a\\|b | 4.00 | ms | ± 2 % | 1.00 | 4.00× | ≤ 1.1× + 1 ms | **missed** |');
});
