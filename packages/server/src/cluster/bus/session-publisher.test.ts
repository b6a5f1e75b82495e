import { expect, it, vi } from 'vitest';
import { createMemoryBus } from '../../bus/memory/memory-bus.ts';
import { emptyHistory as history } from '../../testing/session-samples.ts';
import { baseScript } from '../redis/session-scripts.ts';
import { createSessionPublisher } from './session-publisher.ts';

const roundTrip = () => new Promise(setImmediate);

it('waits for its new number when the old one was refused, and then writes what was refused', async () => {
  const bus = createMemoryBus({ newEpoch: () => 'epoch' });
  const feed = bus.open('s', { history: () => history, resolve: () => undefined });
  // Every claim makes the numbers before it worthless, as in Redis, and its answer takes a while.
  let [held, valid, claims, bases] = [1, 2, 0, 0];
  const publisher = createSessionPublisher({
    sessionId: 's',
    bus,
    mayWrite: () => true,
    async run(script) {
      const used = held;
      await roundTrip();
      if (used !== valid) return 'FENCED';
      if (script === baseScript) bases += 1;
      return 'OK';
    },
    async onFenced() {
      const next = (valid += 1);
      claims += 1;
      // Something to say at every step: it must not go out under the old number.
      feed.publish([{ type: 'session:info', payload: { title: `after claim ${claims}` } }]);
      await roundTrip();
      await roundTrip();
      held = next;
      return true;
    },
    newest: (key) => feed.newest(key),
    older: async () => ({ entries: [], turns: [], nextBefore: null }),
    mark: '',
    now: () => '2026-11-17T00:00:00.000Z',
    onLapsed: () => {},
    onError: (error) => expect.fail(String(error)),
  });
  await vi.waitFor(() => expect(publisher.isIdle()).toBe(true));
  expect({ claims, bases }).toEqual({ claims: 1, bases: 1 });
  publisher.stop();
});
