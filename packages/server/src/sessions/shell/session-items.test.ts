import type { ToolCallUpsert } from '@liminal/contracts';
import { describe, expect, it, vi } from 'vitest';
import { createMemoryStore } from '../../store/memory/memory-store.ts';
import { createItemWriter } from '../writing/item-writer.ts';
import { createSessionItems } from './session-items.ts';

const call: ToolCallUpsert = {
  type: 'tool_call',
  turnId: 't1',
  sessionId: 's1',
  itemId: 't1:1:0',
  sourceTimestamp: '2025-01-01T00:00:00.000Z',
  emittedAt: '2025-01-01T00:00:00.000Z',
  status: 'update',
  toolName: 'run',
  toolArguments: {},
  callId: 'c1',
};
const piece = 'a line of output\n'.repeat(60);
const long = 'x'.repeat(1_000_000);

function setup() {
  const store = createMemoryStore();
  const writer = createItemWriter({ store, intervalMs: 3_600_000, onError: () => {} });
  return createSessionItems('s1', store, writer, () => call.emittedAt);
}

/** The longest text sliced while this ran: slicing a growing text copies all of it. */
function longestCut(run: () => void): number {
  const lengths = [0];
  const slice = String.prototype.slice;
  vi.spyOn(String.prototype, 'slice').mockImplementation(function (this: string, ...range) {
    lengths.push(this.length);
    return slice.apply(this, range);
  });
  run();
  vi.restoreAllMocks();
  return Math.max(...lengths);
}

describe('the items of a session', () => {
  it.each([
    ['grows', (appendedFrom: number) => ({ appendedFrom, text: piece })],
    ['grows while its title changes', (appendedFrom: number) => ({ grown: { appendedFrom, text: piece } })],
  ])('never scan a long output again that only %s', (_how, howOf) => {
    const items = setup();
    items.take({ ...call, toolOutput: long });
    let published: unknown;
    const longest = longestCut(() => {
      let toolOutput = long;
      for (let step = 0; step < 20; step += 1) {
        const from = toolOutput.length;
        toolOutput += piece;
        published = items.take({ ...call, title: `step ${step}`, toolOutput }, howOf(from)).payload;
      }
    });
    expect(longest).toBeLessThan(100_000);
    expect(published).toMatchObject({ toolOutputLength: long.length + 20 * piece.length });
    expect((published as ToolCallUpsert).toolOutput?.endsWith(piece)).toBe(true);
  });

  it('keep a steered message behind the answer it came into, and before what follows', () => {
    const items = setup();
    const text = (itemId: string) => ({ ...call, type: 'message', origin: 'agent', content: 'w1', itemId }) as const;
    const message = {
      turnId: 'own',
      content: 'late',
      images: [],
      createdAt: call.emittedAt,
      state: 'waiting',
    } as const;
    const orderOf = (itemId: string): number | undefined => items.find(itemId)?.order;
    items.take(text('t1:1:0'));
    const [write] = items.steered([{ type: 'message-steered', turnId: 't1', place: 1, message, at: call.emittedAt }]);
    items.take({ ...text('t1:1:0'), content: 'w1 w2', status: 'complete' });
    items.take(text('t1:2:0'));
    expect([orderOf('t1:1:0'), write?.type === 'put-item' && write.row.order, orderOf('t1:2:0')]).toEqual([0, 1, 2]);
  });

  it('keep the places they have on disk, and look there only once for a new turn', async () => {
    const store = createMemoryStore();
    const writer = createItemWriter({ store, intervalMs: 3_600_000, onError: () => {} });
    const first = createSessionItems('s1', store, writer, () => call.emittedAt);
    first.take({ ...call, itemId: 't1:0:0' });
    first.take({ ...call, itemId: 't1:1:0' });
    first.persist('e', []);
    await writer.flush();

    const lookedUp = vi.spyOn(store, 'item');
    const later = createSessionItems('s1', store, writer, () => call.emittedAt);
    expect(later.take(call).payload).toMatchObject({ order: 1 });
    const placeOfNew = (turnId: string, itemId: string) => later.take({ ...call, turnId, itemId }).payload;
    expect(lookedUp).toHaveBeenCalledTimes(1);
    expect(placeOfNew('t2', 't2:0:0')).toMatchObject({ order: 2 });
    expect(placeOfNew('t2', 't2:1:0')).toMatchObject({ order: 3 });
    expect(lookedUp).toHaveBeenCalledTimes(1);
    // This id starts with another turn, so it may be on disk under that one.
    expect(placeOfNew('t2', 't1:0:0')).toMatchObject({ order: 0 });
  });

  it('keep the places that others gave them on disk meanwhile', async () => {
    const store = createMemoryStore();
    const writer = createItemWriter({ store, intervalMs: 3_600_000, onError: () => {} });
    const items = createSessionItems('s1', store, writer, () => call.emittedAt);
    items.take({ ...call, itemId: 't1:0:0' });
    const row = { sessionId: 's1', itemId: 't1:1:0', turnId: 't1', order: 7, sourceId: null, change: null, body: call };
    await store.write([{ type: 'put-item', row }]);
    items.reloadNextOrder();
    expect(items.take(call).payload).toMatchObject({ order: 7 });
    expect(items.take({ ...call, itemId: 't1:2:0' }).payload).toMatchObject({ order: 8 });
  });
});
