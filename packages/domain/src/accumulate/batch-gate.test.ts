import { describe, expect, it } from 'vitest';
import { createBatchGate, defaultGradient } from './batch-gate.ts';

/** After how many single tokens the gate opened, counted from the previous opening. */
function openings(gate: ReturnType<typeof createBatchGate>, tokens: number): number[] {
  const found: number[] = [];
  let since = 0;
  for (let token = 0; token < tokens; token += 1) {
    since += 1;
    if (!gate.add(1)) continue;
    found.push(since);
    since = 0;
  }
  return found;
}

describe('batch gate', () => {
  it('TC-5.2a: opens first at more than 10 tokens', () => {
    const gate = createBatchGate();
    expect(gate.add(10)).toBe(false);
    expect(gate.add(1)).toBe(true);
  });

  it('TC-5.2b: opens next at more than 20, 40, 80 and 120 further tokens', () => {
    expect(openings(createBatchGate(), 11 + 21 + 41 + 81 + 121)).toEqual([11, 21, 41, 81, 121]);
  });

  it('TC-5.2c: opens at strictly more; equal is not enough', () => {
    const gate = createBatchGate([3, 5]);
    expect([gate.add(3), gate.add(1), gate.add(5), gate.add(1)]).toEqual([false, true, false, true]);
  });

  it('TC-5.2d: one large delta crossing several thresholds opens once and skips as many steps', () => {
    const gate = createBatchGate();
    // 71 exceeds 10 + 20 + 40, so the next step is 80.
    expect(gate.add(71)).toBe(true);
    expect(openings(gate, 200)).toEqual([81]);
    // 70 only equals the third threshold, so the next step is still 40.
    const atTheThird = createBatchGate();
    expect(atTheThird.add(70)).toBe(true);
    expect(openings(atTheThird, 41)).toEqual([41]);
  });

  it('TC-5.2e: repeats the last step, 120', () => {
    const gate = createBatchGate();
    expect(gate.add(100_000)).toBe(true);
    expect(openings(gate, 121 * 4)).toEqual([121, 121, 121, 121]);
  });

  it('TC-5.2f: the default gradient is 10, 20, 40, 80, 120', () => {
    expect(defaultGradient).toEqual([10, 20, 40, 80, 120]);
  });

  it('counts from zero at the same step after text was emitted for another reason', () => {
    const gate = createBatchGate();
    gate.add(8);
    gate.reset();
    expect(openings(gate, 11 + 21)).toEqual([11, 21]);
  });

  it('opens for every token if the gradient is empty', () => {
    expect(openings(createBatchGate([]), 3)).toEqual([1, 1, 1]);
  });
});
