import { describe, expect, it } from 'vitest';
import { createCore } from './core.ts';
import { newItem } from './open-item.ts';

const create = () =>
  createCore({
    identity: { sessionId: 's1', providerId: 'demo' },
    pacing: { batchGradient: [10], batchTimeoutMs: 1000, maxLatencyMs: 50, firstLatencyMs: 50 },
    announceArguments: true,
  });
const place = { itemId: 'a', turnId: 't1' };

describe('core', () => {
  it('opens an id once', () => {
    const core = create();
    expect(core.mayOpen(place)).toBe(true);
    core.items.open({ ...newItem(place, 0), type: 'plan', entries: [] });
    expect(core.mayOpen(place)).toBe(false);
  });

  it('opens only late items once the turn is over', () => {
    const core = create();
    core.turns.end('t1', { status: 'completed' });
    expect(core.mayOpen(place)).toBe(false);
    expect(core.mayOpen({ ...place, late: true })).toBe(true);
    expect(core.mayOpen({ ...place, turnId: 't2' })).toBe(true);
  });

  it('opens nothing once it is destroyed', () => {
    const core = create();
    core.markDestroyed();
    expect(core.isDestroyed()).toBe(true);
    expect(core.mayOpen({ ...place, late: true })).toBe(false);
  });
});
