import type { BridgeEvent, SessionHistory, UpsertObject } from '@liminal/contracts';
import type { ChangeBody } from '@liminal/domain/delivery/change';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryBus } from '../bus/memory/memory-bus.ts';
import { agentMessage, emptyHistory } from '../testing/session-samples.ts';
import { createBridgeSubscription } from './bridge-subscription.ts';

const whole = (order: number) => `text ${order}: ${'word '.repeat(40)}`;

/** A session with growing texts, and a host that reads at the pace the test sets. */
function scene(maxBytes: number) {
  let epochs = 0;
  const fail = (error: unknown) => {
    throw error;
  };
  const bus = createMemoryBus({ newEpoch: () => `e${(epochs += 1)}`, onError: fail });
  const items = new Map<string, UpsertObject>();
  const history = (): SessionHistory => ({ ...emptyHistory, entries: [...items.values()] });
  const resolve = (key: string): ChangeBody | undefined => {
    const payload = items.get(key.slice('item:'.length));
    return payload && { type: 'session:upsert', payload };
  };
  const feed = bus.open('s', { history, resolve });
  const subscription = createBridgeSubscription({
    taskId: 'a',
    sessionId: 's',
    bus,
    maxBytes,
    wake: () => {},
    onError: fail,
  });
  subscription.start(false);
  const texts = new Map<string, string>();
  const read = (budget: number): void => {
    for (const frame of subscription.take(budget)) {
      const { message } = JSON.parse(String(frame)) as BridgeEvent;
      if (message.type !== 'agent_text') continue;
      texts.set(message.msg_id, (message.replace ? '' : (texts.get(message.msg_id) ?? '')) + message.text);
    }
  };
  return {
    subscription,
    feed,
    texts,
    read,
    say(order: number, share: number): void {
      const itemId = `t:${order}:0`;
      const before = items.get(itemId);
      const known = before?.type === 'message' ? before.content : '';
      if (before?.status === 'complete') return;
      const content = whole(order).slice(0, Math.max(known.length, Math.ceil(whole(order).length * share)));
      const status = content === whole(order) ? 'complete' : before ? 'update' : 'create';
      const payload: UpsertObject = { ...agentMessage(itemId, content, status), order };
      items.set(itemId, payload);
      const appended = { appendedFrom: known.length, text: content.slice(known.length) };
      feed.publish([{ type: 'session:upsert', payload, ...(before ? { appended } : {}) }]);
    },
  };
}

type Step =
  | { readonly do: 'say'; readonly share: number; readonly late: boolean }
  | { readonly do: 'read'; readonly budget: number }
  | { readonly do: 'renew' | 'leave' };
const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('say' as const),
        share: fc.double({ min: 0, max: 1, noNaN: true }),
        late: fc.boolean(),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('read' as const), budget: fc.integer({ min: 1, max: 2000 }) }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('renew' as const, 'leave' as const) }) },
  ),
  { maxLength: 40 },
);

describe('BR-1: a host that reads slowly', () => {
  it('BR-1: receives the complete text however it reads, disconnects and returns, and whatever was dropped meanwhile', () => {
    fc.assert(
      fc.property(steps, fc.constantFrom(300, 100_000), (played: readonly Step[], maxBytes) => {
        const { subscription, feed, texts, read, say } = scene(maxBytes);
        let newest = 0;
        say(newest, 0.1);
        for (const step of played) {
          if (step.do === 'say') say(step.late ? newest : ++newest, step.share);
          if (step.do === 'read') read(step.budget);
          if (step.do === 'renew') feed.renew();
          if (step.do === 'leave') {
            subscription.stop();
            say(++newest, 0.5);
            subscription.start(false);
          }
        }
        for (let order = 0; order <= newest; order += 1) say(order, 1);
        while (subscription.ready) read(1000);
        for (let order = 0; order <= newest; order += 1) expect(texts.get(`t:${order}:0`)).toBe(whole(order));
      }),
      { numRuns: 300 },
    );
  });
});
