import { describe, expect, it } from 'vitest';
import { createRequestGate } from './request-gate.ts';

/** Sends this many requests, and records which ones were let in. */
async function setup(requests: number) {
  const gate = createRequestGate();
  const entered: number[] = [];
  const enter = (id: number): void => {
    gate.received();
    void gate.enter(id).then(() => entered.push(id));
  };
  for (let id = 0; id < requests; id += 1) enter(id);
  await settled();
  return { gate, entered, enter };
}
const settled = () => new Promise(setImmediate);

describe("an agent's requests", () => {
  it('are served a few at a time, the next one only when an answer was accepted', async () => {
    const { gate, entered } = await setup(10);
    const first = entered.length;
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(10);
    await settled();
    expect(entered).toHaveLength(first);
    gate.answered(0);
    await settled();
    expect(entered).toHaveLength(first + 1);
  });

  it('are all served in the end, in order, even under the same id', async () => {
    const { gate, entered, enter } = await setup(5);
    enter(0);
    for (let answers = 0; answers < 6; answers += 1) {
      gate.answered(entered[answers]);
      await settled();
    }
    expect(entered).toEqual([0, 1, 2, 3, 4, 0]);
    expect(gate.isFull).toBe(false);
  });

  it('stop the reading while too many are unanswered', async () => {
    const { gate, entered } = await setup(1_000);
    expect(gate.isFull).toBe(true);
    for (let answers = 0; answers < 1_000; answers += 1) {
      gate.answered(entered[answers]);
      await Promise.resolve();
      await Promise.resolve();
    }
    expect(gate.isFull).toBe(false);
  });

  it('that wait for the user block no others, and their number is limited', async () => {
    const { gate } = await setup(0);
    let waiting = 0;
    for (gate.received(); gate.wait(); gate.received()) waiting += 1;
    expect(waiting).toBeGreaterThan(100);
    expect(gate.isFull).toBe(false);
    gate.waited();
    expect(gate.wait()).toBe(true);
  });
});
