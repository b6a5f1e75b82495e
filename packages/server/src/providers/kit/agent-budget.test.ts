import { describe, expect, it } from 'vitest';
import { createBudgetMeter } from './agent-budget.ts';

const budget = { turnBytes: 1_000, openBytes: 100 };

describe("an agent's budget", () => {
  it('starts over with each turn', () => {
    const meter = createBudgetMeter('Flood', budget);
    meter.turnStarted(0);
    expect(meter.excess(1_000, 0)).toBeUndefined();
    meter.turnStarted(1_000);
    expect(meter.excess(2_000, 0)).toBeUndefined();
    expect(meter.excess(2_001, 0)).toMatch(/Flood sent more than .* in one turn, so it was stopped/);
  });

  it('limits unfinished output, whatever the turn', () => {
    const meter = createBudgetMeter('Flood', budget);
    expect(meter.excess(10, 100)).toBeUndefined();
    expect(meter.excess(10, 101)).toMatch(/unfinished output/);
  });

  it('is reported once', () => {
    const meter = createBudgetMeter('Flood', budget);
    expect(meter.excess(0, 200)).toBeDefined();
    expect(meter.excess(0, 300)).toBeUndefined();
  });
});
