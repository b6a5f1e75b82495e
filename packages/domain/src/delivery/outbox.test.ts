import type { ItemStatus, UpsertObject } from '@liminal/contracts';
import { describe, expect, test } from 'vitest';
import type { Change, OutboundMessage } from './change.ts';
import { createOutbox, type Outbox } from './outbox.ts';

const at = '2026-01-01T00:00:00.000Z';

/** One item whose text grows, as changes numbered from 1. */
function growing(type: 'message' | 'tool_call' = 'message', itemId = 't:1:0') {
  let content = '';
  const item = (status: ItemStatus): UpsertObject => {
    const base = { turnId: 't', sessionId: 's', itemId, sourceTimestamp: at, emittedAt: at, status };
    if (type === 'message') return { type, ...base, content, origin: 'agent' };
    return { type, ...base, toolName: 'Bash', toolArguments: {}, callId: 'c', toolOutput: content };
  };
  return {
    whole: (seq: number, text: string, status: ItemStatus = 'create'): Change => {
      content = text;
      return { seq, body: { type: 'session:upsert', payload: item(status) } };
    },
    append: (seq: number, text: string, status: ItemStatus = 'update'): Change => {
      const appended = { appendedFrom: content.length, text };
      content += text;
      return { seq, body: { type: 'session:upsert', payload: item(status), appended } };
    },
  };
}

const status = (seq: number, isAlive = true): Change => ({
  seq,
  body: { type: 'session:status', payload: { state: 'open', activity: 'idle', isAlive } },
});

const shortened = (messages: readonly OutboundMessage[]) =>
  messages.map(({ type, seq, payload }) => ({ type, seq, payload }));
const seqs = (outbox: Outbox) => outbox.take().map((message) => message.seq);

describe('coalescing', () => {
  test('replaces a waiting state with a newer one, at the end, under the newest number', () => {
    const outbox = createOutbox({ encoding: 'append', maxBytes: Infinity });
    const item = growing();
    for (const change of [status(1, false), item.whole(2, 'a'), status(3)]) outbox.push(change);
    expect(shortened(outbox.take())).toMatchObject([{ seq: 2 }, { seq: 3, payload: { isAlive: true } }]);
  });

  test('doesn’t resend what the reader already has', () => {
    const outbox = createOutbox({ encoding: 'full', maxBytes: Infinity, startSeq: 5 });
    for (const change of [status(5), status(6), status(6)]) outbox.push(change);
    expect(seqs(outbox)).toEqual([6]);
  });

  test('stops at the budget, but always sends at least one message', () => {
    const outbox = createOutbox({ encoding: 'full', maxBytes: Infinity });
    outbox.push(growing().whole(1, 'x'.repeat(5000)));
    outbox.push(status(2));
    expect(outbox.bytes).toBeGreaterThan(5000);
    expect(outbox.take(100).map((message) => message.seq)).toEqual([1]);
    expect(outbox.bytes).toBeLessThan(500);
    expect(outbox.take(100).map((message) => message.seq)).toEqual([2]);
    expect(outbox.bytes).toBe(0);
  });
});

describe('append encoding', () => {
  const outboxAfter = (...changes: Change[]): Outbox => {
    const outbox = createOutbox({ encoding: 'append', maxBytes: Infinity });
    for (const change of changes) outbox.push(change);
    return outbox;
  };

  test('joins waiting appends of an item into one; never sends a finished text twice', () => {
    const item = growing();
    const outbox = outboxAfter(item.whole(1, 'one'));
    outbox.take();
    outbox.push(item.append(2, ' two'));
    outbox.push(status(3));
    outbox.push(item.append(4, ' three', 'complete'));
    const payload = { itemId: 't:1:0', offset: 3, text: ' two three', status: 'complete' };
    expect(shortened(outbox.take())).toEqual([
      { type: 'session:status', seq: 3, payload: status(3).body.payload },
      { type: 'session:append', seq: 4, payload },
    ]);
  });

  test('keeps one full state when an append follows a waiting full state', () => {
    const item = growing();
    const outbox = outboxAfter(item.whole(1, 'one'), item.append(2, ' two'));
    expect(shortened(outbox.take())).toMatchObject([
      { type: 'session:upsert', seq: 2, payload: { content: 'one two' } },
    ]);
  });

  test('sends a full state after a replacement or a shortening, and for text that doesn’t follow', () => {
    const item = growing('tool_call');
    const outbox = outboxAfter(item.append(1, 'a long output'), item.whole(2, 'short', 'update'));
    expect(shortened(outbox.take())).toMatchObject([
      { type: 'session:upsert', seq: 2, payload: { toolOutput: 'short' } },
    ]);
    const waiting = item.append(3, ' and more');
    item.whole(4, 'another text', 'update');
    outbox.push(waiting);
    outbox.push(item.append(5, ' with more'));
    expect(shortened(outbox.take())).toMatchObject([
      { type: 'session:upsert', seq: 5, payload: { toolOutput: 'another text with more' } },
    ]);
  });
});

describe('full encoding with thinning', () => {
  const words = (count: number) => 'word '.repeat(count);

  test('holds an update until enough text has arrived; never holds the end', () => {
    const outbox = createOutbox({ encoding: 'full', maxBytes: Infinity });
    const item = growing();
    outbox.push(item.whole(1, ''));
    expect(seqs(outbox)).toEqual([1]);
    outbox.push(item.append(2, words(10)));
    expect(outbox.holding).toBe(true);
    expect(outbox.ready).toBe(false);
    expect(seqs(outbox)).toEqual([]);
    outbox.push(item.append(3, words(1)));
    expect(outbox.holding).toBe(false);
    expect(seqs(outbox)).toEqual([3]);
    outbox.push(item.append(4, words(1)));
    outbox.push(item.append(5, words(1), 'complete'));
    expect(seqs(outbox)).toEqual([5]);
  });

  test('sends held updates on flushHeld, and before anything newer', () => {
    const outbox = createOutbox({ encoding: 'full', maxBytes: Infinity });
    const item = growing();
    outbox.push(item.append(1, words(1)));
    outbox.flushHeld();
    expect(seqs(outbox)).toEqual([1]);
    outbox.push(item.append(2, words(1)));
    outbox.push(status(3));
    expect(seqs(outbox)).toEqual([2, 3]);
  });

  test('sends only a small part of the states of an answer in small pieces', () => {
    const outbox = createOutbox({ encoding: 'full', maxBytes: Infinity });
    const item = growing();
    let messages = 0;
    for (let seq = 1; seq <= 2000; seq += 1) {
      outbox.push(item.append(seq, 'word '));
      messages += outbox.take().length;
    }
    expect(messages).toBe(Math.floor((2000 - 11 - 21 - 41 - 81) / 121) + 4);
  });
});

describe('a slow reader', () => {
  test('drops everything past its limit, until a history and reset', () => {
    const outbox = createOutbox({ encoding: 'append', maxBytes: 1000 });
    outbox.push(status(1));
    outbox.push(growing().whole(2, 'x'.repeat(2000)));
    expect(outbox).toMatchObject({ overflowed: true, bytes: 0, ready: false });
    outbox.push(status(3));
    expect(outbox.take()).toEqual([]);
    outbox.reset(3);
    outbox.push(status(3));
    outbox.push(status(4));
    expect(outbox.overflowed).toBe(false);
    expect(seqs(outbox)).toEqual([4]);
  });

  test('accepts a single change above the limit, but not joined appends', () => {
    const outbox = createOutbox({ encoding: 'append', maxBytes: 1000 });
    const item = growing();
    outbox.push(item.whole(1, 'x'.repeat(5000)));
    expect(seqs(outbox)).toEqual([1]);
    for (let seq = 2; seq < 20; seq += 1) outbox.push(item.append(seq, 'x'.repeat(100)));
    expect(outbox.overflowed).toBe(true);
  });
});

test('links a message to its change if they say the same, so its JSON can be shared', () => {
  const outbox = createOutbox({ encoding: 'append', maxBytes: Infinity });
  const item = growing();
  const coalesced = [item.whole(1, 'a'), item.append(2, 'b')];
  for (const change of coalesced) outbox.push(change);
  expect(outbox.take().map((message) => message.change)).toEqual([coalesced[1]]);
  const single = item.append(3, 'c');
  outbox.push(single);
  expect(outbox.take().map((message) => message.change)).toEqual([single]);
  outbox.push(item.append(4, 'd'));
  outbox.push(item.append(5, 'e'));
  expect(outbox.take().map((message) => [message.type, message.change])).toEqual([['session:append', undefined]]);
});
