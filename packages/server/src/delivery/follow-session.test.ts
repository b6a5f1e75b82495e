import { createOutbox } from '@liminal/domain/delivery/outbox';
import { describe, expect, it } from 'vitest';
import { createBridgeSubscription } from '../bridge/bridge-subscription.ts';
import type { Follower, SessionBus } from '../bus/session-bus.ts';
import { agentMessage, emptyHistory, textChange } from '../testing/session-samples.ts';
import { followSession } from './follow-session.ts';
import { createSubscription, type SubscriptionDeps } from './subscription.ts';

type Deps = Pick<SubscriptionDeps, 'sessionId' | 'bus' | 'maxBytes' | 'wake'>;

/** A session of another machine: `caughtUp` is called later. */
function farBus() {
  const asked: Follower[] = [];
  const bus: SessionBus = {
    open: () => {
      throw new Error('the session is on another machine');
    },
    follow(_sessionId, _cursor, follower) {
      asked.push(follower);
      return () => {};
    },
    repeat: () => false,
  };
  const history = { ...emptyHistory, entries: [agentMessage('t:1:0', 'said before', 'complete')] };
  const answer = (seq: number) => asked.at(-1)?.caughtUp({ verdict: 'fresh', epoch: 'e', seq, history });
  return { bus, asked, answer };
}

describe('a reader of a session that starts with a delay', () => {
  it.each([
    [
      'a page',
      (deps: Deps) => {
        const subscription = createSubscription({ ...deps, encoding: 'append' });
        return { subscription, start: () => subscription.start(undefined) };
      },
    ],
    [
      'a host',
      (deps: Deps) => {
        const subscription = createBridgeSubscription({ ...deps, taskId: 'a', onError: () => {} });
        return { subscription, start: () => subscription.start(true) };
      },
    ],
  ])('%s wakes when the session starts, and requests a history once after it has fallen behind', (_name, make) => {
    const { bus, asked, answer } = farBus();
    let woken = 0;
    const { subscription, start } = make({ sessionId: 's', bus, maxBytes: 500, wake: () => (woken += 1) });
    expect(start()).toBe(true);
    expect([subscription.ready, woken]).toEqual([false, 0]);
    answer(0);
    expect([subscription.ready, woken]).toEqual([true, 1]);
    expect(subscription.take(Infinity).join()).toContain('said before');

    const long = (itemId: string, seq: number) => ({ seq, body: textChange(itemId, 'x'.repeat(400), 'complete') });
    asked[0]?.changed([long('t:2:0', 1), long('t:3:0', 2)]);
    expect(subscription.ready).toBe(true);
    expect(subscription.take(Infinity)).toEqual([]);
    // Until the answer arrives, the reader has nothing to take and requests nothing more.
    expect([subscription.ready, asked.length]).toEqual([false, 2]);
    answer(2);
    expect(subscription.ready).toBe(true);
  });

  it('unfollows when it is stopped and when it restarts', () => {
    const { bus } = farBus();
    let left = 0;
    const leaving = { ...bus, follow: () => () => void (left += 1) };
    const outbox = createOutbox({ encoding: 'append', maxBytes: 100 });
    const session = followSession({ sessionId: 's', bus: leaving, outbox, push: () => {}, wake: () => {} });
    session.begin(undefined, () => {});
    session.begin(undefined, () => {});
    expect(left).toBe(1);
    session.stop();
    session.stop();
    expect(left).toBe(2);
  });
});
