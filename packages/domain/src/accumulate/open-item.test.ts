import { describe, expect, it } from 'vitest';
import { createGrowingText } from './growing-text.ts';
import { growingTextOf, isUnsent, newItem, type PlanItem, type TextItem } from './open-item.ts';

const place = { itemId: 't1:1:0', turnId: 't1' };
const text = createGrowingText({ batchGradient: [10], batchTimeoutMs: 1000, maxLatencyMs: 50, firstLatencyMs: 50 });
const message: TextItem = {
  ...newItem(place, 0),
  type: 'message',
  providerId: 'demo',
  origin: 'agent',
  attachments: undefined,
  text,
};
const plan: PlanItem = { ...newItem(place, 0), type: 'plan', entries: [] };

describe('open item', () => {
  it('is unseen until it has text or was emitted', () => {
    expect(isUnsent(message)).toBe(true);
    expect(isUnsent({ ...message, emitted: true })).toBe(false);
    text.append('word', 0);
    expect(isUnsent(message)).toBe(false);
  });

  it('has a growing text unless it is a plan', () => {
    expect(growingTextOf(message)).toBe(text);
    expect(growingTextOf(plan)).toBeUndefined();
    expect(isUnsent(plan)).toBe(false);
  });
});
