import { describe, expect, it } from 'vitest';
import type { Bench } from '../bench.ts';
import { type Run, withRun } from './document.ts';

const bench: Bench = { name: 'thing', title: 'A thing', measures: 'How fast it is.', run: () => ({ rows: [] }) };
const run: Run = {
  machine: { processor: 'two cores' },
  date: '2026-11-01',
  command: 'npm run bench',
  measured: [
    {
      bench,
      seconds: 3,
      stolen: 0.0251,
      result: {
        rows: [{ measure: 'speed', value: 2, unit: 'ms' }],
        plots: [{ name: 'thing', title: 'Speed', unit: 'ms', series: [], groups: [] }],
        remarks: ['Warm.'],
      },
    },
    { bench: { ...bench, name: 'other', title: 'Another' }, seconds: 1, stolen: null, result: null },
  ],
};

describe('withRun', () => {
  it('adds the run to a document that has none', () => {
    const text = withRun('# Performance\n\nWords.\n', run);
    expect(text).toMatch(/^# Performance\n\nWords\.\n\n<!-- bench:begin/);
    expect(text).toContain('- processor: two cores');
    expect(text).toContain('| speed | 2.00 | ms |');
    expect(text).toContain('(`--only thing`, 3 s, 2.5 % CPU steal)');
    expect(text).toContain('Warm.');
    expect(text).toContain('![Speed](images/bench-thing.svg)');
    expect(text).toContain('### Another\n\nHow fast it is. (`--only other`, 1 s)\n\n**It failed');
  });

  it('replaces the previous run and keeps the text around it', () => {
    const once = `${withRun('# Performance\n', run)}\nAfterwards.\n`;
    const twice = withRun(once, { ...run, date: '2026-12-01' });
    expect(twice).toBe(once.replace('2026-11-01', '2026-12-01'));
  });
});
