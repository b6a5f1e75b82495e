import type { ChangeBody } from '@liminal/domain/delivery/change';
import { describe, expect, it } from 'vitest';
import { createMemoryBus } from '../bus/memory/memory-bus.ts';
import { emptyHistory as history, textChange } from '../testing/session-samples.ts';
import { type Frame, SharedFrame } from './frame.ts';
import { createPump } from './pump.ts';
import { createSubscription } from './subscription.ts';

function subscribed(maxBytes = 1_000) {
  const bus = createMemoryBus({ newEpoch: () => 'e' });
  const source = { history: () => history, resolve: () => undefined };
  const feed = bus.open('s', source);
  const errors: unknown[] = [];
  const make = () =>
    createSubscription({
      sessionId: 's',
      encoding: 'append',
      bus,
      maxBytes,
      wake: () => {},
      onError: (error) => errors.push(error),
    });
  return { bus, feed, source, errors, make };
}
const parsed = (frames: readonly Frame[]) =>
  frames.map((frame) => JSON.parse(String(frame)) as { type: string; verdict?: string; code?: string });
const overfill = (feed: { publish(bodies: ChangeBody[]): void }) =>
  feed.publish([textChange('a', 'x'.repeat(900), 'complete'), textChange('b', 'y'.repeat(900), 'complete')]);

describe('a subscription', () => {
  it('ends when its session is removed while it is past its limit, and the pump continues', async () => {
    const { feed, make } = subscribed();
    const subscription = make();
    subscription.start(undefined);
    subscription.take(Infinity);
    overfill(feed);
    feed.close();
    const sent: Frame[] = [];
    const pump = createPump({ send: (frame) => void sent.push(frame), waiting: () => 0 });
    pump.add(subscription);
    pump.wake();
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(parsed(sent)).toMatchObject([{ type: 'error', code: 'SESSION_NOT_FOUND' }]);
    expect(subscription.ready).toBe(false);
    pump.stop();
  });

  it('answers a cursor with gap and a history when the missed changes exceed its limit', () => {
    const { feed, make } = subscribed();
    overfill(feed);
    const subscription = make();
    subscription.start({ epoch: 'e', seq: 0 });
    expect(parsed(subscription.take(Infinity))).toMatchObject([
      { type: 'session:resumed', verdict: 'gap' },
      { type: 'session:history' },
    ]);
  });

  it('reports a session that can no longer be read, without affecting others', () => {
    const { feed, source, errors, make } = subscribed();
    const [broken, other] = [make(), make()];
    for (const subscription of [broken, other]) {
      subscription.start(undefined);
      subscription.take(Infinity);
    }
    overfill(feed);
    source.history = () => {
      throw new Error('unreadable');
    };
    expect(parsed(broken.take(Infinity))).toMatchObject([{ type: 'error', code: 'INTERNAL_ERROR' }]);
    expect([broken.ready, errors.length]).toEqual([false, 1]);
    source.history = () => history;
    expect(parsed(other.take(Infinity))).toMatchObject([{ type: 'session:history' }]);
  });

  it('builds the frame of a change once for all its readers', () => {
    const { feed, make } = subscribed();
    const readers = [make(), make()];
    for (const one of readers) {
      one.start(undefined);
      one.take(Infinity);
    }
    feed.publish([textChange('a', 'words', 'create')]);
    const [[first], [second]] = readers.map((one) => one.take(Infinity)) as [Frame[], Frame[]];
    expect(first).toBeInstanceOf(SharedFrame);
    expect(second).toBe(first);
    expect(parsed([first as Frame])).toMatchObject([{ type: 'session:upsert', sessionId: 's', epoch: 'e', seq: 1 }]);
  });
});
