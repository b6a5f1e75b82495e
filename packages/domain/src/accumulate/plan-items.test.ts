import { describe, expect, it } from 'vitest';
import { createAccumulator } from './accumulator.ts';
import { line } from './testing/emission-summary.ts';

const create = () => createAccumulator({ sessionId: 's1', providerId: 'demo' });
const entry = { content: 'Look around', status: 'pending' } as const;
const plan = { itemId: 'p', turnId: 't1', entries: [entry] };

describe('plan items', () => {
  it('creates a plan first, then updates it, and completes it with its turn', () => {
    const core = create();
    core.startTurn({ turnId: 't1' }, 0);
    const emissions = [
      ...core.putPlan(plan, 0),
      ...core.putPlan({ ...plan, entries: [entry, entry] }, 1),
      ...core.endTurn('t1', { status: 'completed' }, 2),
    ];
    expect(emissions.map(line)).toEqual([
      'create p 1 entries',
      'update p 2 entries',
      'complete p 2 entries',
      'turn_complete t1 completed',
    ]);
  });

  it('never replaces another item, and never opens after its turn has ended', () => {
    const core = create();
    core.startText({ itemId: 'p', turnId: 't1', type: 'message' }, 0);
    expect(core.putPlan(plan, 0)).toEqual([]);
    core.endTurn('t1', { status: 'completed' }, 0);
    expect(core.putPlan(plan, 0)).toEqual([]);
  });
});
