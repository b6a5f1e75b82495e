import { describe, expect, it } from 'vitest';
import type { Row } from './bench.ts';
import { budgets } from './budgets.ts';
import { judge, limitOf } from './judge.ts';

const row = (fields: Partial<Row>): Row => ({ measure: 'm', value: 0, unit: 'ms', ...fields });

describe('judge', () => {
  it('has no verdict for a row without a budget', () => {
    expect(judge(row({ ratio: 99 }))).toBe('none');
  });

  it.each([
    [1.5, 'kept'],
    [1.51, 'missed'],
  ] as const)('holds a ratio of %s against an upper limit of 1.5', (ratio, verdict) => {
    expect(judge(row({ ratio, budget: 'time per delta is flat' }))).toBe(verdict);
  });

  it.each([
    [0.5, 'kept'],
    [0.49, 'missed'],
  ] as const)('holds a ratio of %s against a lower limit of 0.5', (ratio, verdict) => {
    expect(judge(row({ ratio, budget: 'deliveries beside a bare broadcast' }))).toBe(verdict);
  });

  it.each([
    [3.2, 'kept'],
    [3.3, 'missed'],
  ] as const)('NFR-3: %s ms beside 2 ms, within 10 % plus 1 ms', (value, verdict) => {
    expect(judge(row({ value, baseline: 2, budget: 'NFR-3 near a bare socket' }))).toBe(verdict);
  });

  it('never fails the run because of an aim', () => {
    expect(judge(row({ value: 79, unit: 'MB', budget: 'idle memory' }))).toBe('aim kept');
    expect(judge(row({ value: 81, unit: 'MB', budget: 'idle memory' }))).toBe('aim missed');
  });

  it('counts a missing number as missed', () => {
    expect(judge(row({ value: Number.NaN, ratio: Number.NaN, budget: 'fold costs what changed' }))).toBe('missed');
    expect(judge(row({ value: 1, budget: 'NFR-3 near a bare socket' }))).toBe('missed');
  });
});

describe('limitOf', () => {
  it('describes every kind of limit', () => {
    expect(limitOf('time per delta is flat', 'ns')).toBe('≤ 1.5×');
    expect(limitOf('deliveries beside a bare broadcast', '/s')).toBe('≥ 0.5×');
    expect(limitOf('NFR-3 near a bare socket', 'ms')).toBe('≤ 1.1× + 1 ms');
    expect(limitOf('idle memory', 'MB')).toBe(`≤ ${budgets['idle memory'].rule.limit} MB`);
  });
});
