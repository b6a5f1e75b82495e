import { type MessageUpsert, UpsertObject } from '@liminal/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ReplayedHistory } from '../../providers/provider.ts';
import { createMemoryStore } from '../../store/memory/memory-store.ts';
import { itemRow, turnRow } from '../../store/testing/sample-rows.ts';
import type { Store } from '../../store/store.ts';
import { mergeReplay } from './merge-replay.ts';

const at = '2026-01-01T00:00:00.000Z';
const message = (turnId: string, itemId: string, origin: 'user' | 'agent', content: string): MessageUpsert => ({
  type: 'message',
  turnId,
  sessionId: 's',
  itemId,
  sourceTimestamp: at,
  emittedAt: at,
  status: 'complete',
  content,
  origin,
});
/** A turn as recorded: the user's text, and an answer under the agent's own id. */
const turnOf = (turnId: string, words: string, sourceId?: string): ReplayedHistory => ({
  turns: [{ turnId, state: 'completed' }],
  entries: [
    { upsert: message(turnId, `${turnId}:0:0`, 'user', words) },
    ...(sourceId ? [{ upsert: message(turnId, `${turnId}:1:0`, 'agent', 'answer'), sourceId }] : []),
  ],
});
const record = (...parts: ReplayedHistory[]): ReplayedHistory => ({
  turns: parts.flatMap((part) => part.turns),
  entries: parts.flatMap((part) => part.entries),
});

let store: Store;
beforeEach(async () => {
  store = createMemoryStore();
  await store.write([
    { type: 'put-turn', row: turnRow('ours1', { position: 0, state: 'completed', content: 'first' }) },
    { type: 'put-item', row: itemRow('ours1:1:0', 0, 'answer', 'msg-1') },
    { type: 'put-turn', row: turnRow('ours2', { position: 1, state: 'cancelled', content: 'again' }) },
  ]);
});
const newTurns = (replay: ReplayedHistory) =>
  mergeReplay(store, 's', replay, at).flatMap((write) =>
    write.type === 'put-turn' ? [[write.row.turnId, write.row.position]] : [],
  );

describe('merging an agent’s record', () => {
  it('adds no turn that ran here, matched by the agent’s ids or the user’s text', () => {
    expect(newTurns(record(turnOf('r1', 'first', 'msg-1'), turnOf('r2', 'again')))).toEqual([]);
  });

  it('adds turns from elsewhere after ours, in their order', async () => {
    const replay = record(
      turnOf('r1', 'first', 'msg-1'),
      turnOf('r2', 'again'),
      turnOf('r3', 'again', 'msg-3'),
      turnOf('r4', 'more', 'msg-4'),
    );
    expect(newTurns(replay)).toEqual([
      ['r3', 2],
      ['r4', 3],
    ]);
    await store.write(mergeReplay(store, 's', replay, at));
    expect(newTurns(replay)).toEqual([]);
    expect(store.itemsOfTurn('s', 'r3').map((row) => row.order)).toEqual([1, 2]);
  });

  it('puts turns older than ours before them, even if they arrive later', async () => {
    const fresh = createMemoryStore();
    const newest = turnOf('r3', 'three', 'msg-3');
    await fresh.write(mergeReplay(fresh, 's', newest, at));
    await fresh.write(
      mergeReplay(fresh, 's', record(turnOf('r1', 'one', 'msg-1'), turnOf('r2', 'two', 'msg-2'), newest), at),
    );
    const turns = fresh.turnsBefore('s', null, 10).map((row) => row.turnId);
    expect(turns).toEqual(['r3', 'r2', 'r1']);
    const orders = ['r1', 'r2', 'r3'].flatMap((turnId) => fresh.itemsOfTurn('s', turnId).map((row) => row.order));
    expect(orders).toEqual(orders.toSorted((a, b) => a - b));
    expect(new Set(orders).size).toBe(6);
  });

  it('gives every item its own place, even for turns before our first one', async () => {
    const replay = record(turnOf('r0', 'older', 'msg-0'), turnOf('r1', 'first', 'msg-1'));
    await store.write(mergeReplay(store, 's', replay, at));
    const orders = ['r0', 'ours1'].flatMap((turnId) => store.itemsOfTurn('s', turnId).map((row) => row.order));
    expect(orders).toHaveLength(3);
    expect(orders).toEqual([...new Set(orders)].toSorted((a, b) => a - b));
  });

  it('adds nothing when an agent without ids replays several of our messages as one', () => {
    expect(newTurns(record(turnOf('r1', 'first\nagain')))).toEqual([]);
  });

  it('doesn’t match turns by a call id that several turns share', () => {
    const replay = record(turnOf('r1', 'first', 'msg-1'), turnOf('r2', 'said elsewhere', 'msg-1'));
    expect(newTurns(replay)).toEqual([['r2', 2]]);
  });

  it('keeps a long output beside its item, and shows its start and end', async () => {
    const toolOutput = `first ${'x'.repeat(1024 * 1024)} last`;
    const call: UpsertObject = {
      ...message('r3', 'r3:1:0', 'agent', ''),
      type: 'tool_call',
      callId: 'c',
      toolName: 'Bash',
      toolArguments: {},
      toolOutput,
    };
    const replay = { turns: [{ turnId: 'r3', state: 'completed' as const }], entries: [{ upsert: call }] };
    await store.write(mergeReplay(store, 's', replay, at));
    const shown = UpsertObject.parse(store.itemsOfTurn('s', 'r3')[0]?.body);
    expect(shown).toMatchObject({
      toolOutputLength: toolOutput.length,
      toolOutput: expect.stringMatching(/^first .* last$/s) as string,
    });
    expect(JSON.stringify(shown).length).toBeLessThan(toolOutput.length / 10);
    expect(store.output('s', 'r3:1:0')).toBe(toolOutput);
  });

  it('adds no turn that was rewound while the record was being read', async () => {
    await store.write([
      { type: 'put-turn', row: turnRow('ours3', { state: 'rewound', content: 'undone' }) },
      { type: 'put-item', row: itemRow('ours3:1:0', 1, 'answer', 'msg-3') },
    ]);
    const kept = record(turnOf('ours1', 'first', 'msg-1'), turnOf('ours2', 'again'));
    expect(newTurns(record(kept, turnOf('ours3', 'undone')))).toEqual([]);
    expect(newTurns(record(kept, turnOf('r3', 'undone', 'msg-3')))).toEqual([]);
    // An agent that reuses its ids.
    expect(newTurns(record(kept, turnOf('r4', 'said elsewhere', 'msg-3')))).toEqual([['r4', 2]]);
  });

  it('matches repeated text with each turn only once', () => {
    expect(newTurns(record(turnOf('r2', 'again'), turnOf('r3', 'again')))).toEqual([['r3', 2]]);
  });
});
