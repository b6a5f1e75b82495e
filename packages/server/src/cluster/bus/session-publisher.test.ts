import { expect, it, vi } from 'vitest';
import { createMemoryBus } from '../../bus/memory/memory-bus.ts';
import { emptyHistory as history, textChange } from '../../testing/session-samples.ts';
import { adoptScript, baseScript } from '../redis/session-scripts.ts';
import { createSessionPublisher, type PublishVerdict } from './session-publisher.ts';

const roundTrip = () => new Promise(setImmediate);

it('waits for a new fencing number after a refusal, then writes what was refused', async () => {
  const bus = createMemoryBus({ newEpoch: () => 'epoch' });
  const feed = bus.open('s', { history: () => history, resolve: () => undefined });
  // Each claim invalidates the earlier numbers, as in Redis, and takes a while to be answered.
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
      // Publish at every step: nothing may go out under the old number.
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

/** A publisher with a fake Redis whose answers the test gives one by one. */
function publishing({ mark = '', mayWrite = (): boolean => true } = {}) {
  const bus = createMemoryBus({ newEpoch: () => 'epoch' });
  const feed = bus.open('s', { history: () => history, resolve: () => undefined });
  const asked: {
    isBase: boolean;
    isAdoption: boolean;
    prev: number;
    last: number;
    answer(verdict: PublishVerdict): void;
    fail(): void;
  }[] = [];
  const publisher = createSessionPublisher({
    sessionId: 's',
    bus,
    mayWrite,
    run: (script, [, prev, last]) =>
      new Promise((answer, fail) =>
        asked.push({
          isBase: script === baseScript,
          isAdoption: script === adoptScript,
          prev: Number(prev),
          last: Number(last),
          answer,
          fail: () => fail(new Error('The connection broke.')),
        }),
      ),
    onFenced: async () => true,
    newest: (key) => feed.newest(key),
    older: async () => ({ entries: [], turns: [], nextBefore: null }),
    mark,
    now: () => '2026-11-17T00:00:00.000Z',
    onLapsed: () => {},
    onError: () => {},
  });
  const long = 'x'.repeat(20_000);
  let items = 0;
  const publish = (count: number) => {
    for (let made = 0; made < count; made += 1) feed.publish([textChange(`item ${(items += 1)}`, long)]);
  };
  const numbers = () => asked.filter(({ isBase }) => !isBase).map(({ prev, last }) => [prev, last]);
  const started = async () => {
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    asked[0]?.answer('OK');
  };
  return { publisher, publish, asked, numbers, started };
}

it('sends further full writes, in order, while the first is under way', async () => {
  const { publisher, publish, asked, numbers, started } = publishing();
  await started();
  publish(4);
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(3));
  expect(numbers()).toEqual(numbers().map((_, place) => [place, place + 1]));
  const under = numbers().length;
  publish(20);
  for (const { answer } of asked.slice(1)) answer('OK');
  await vi.waitFor(() => expect(numbers().length).toBeGreaterThan(under));
  await vi.waitFor(() => {
    for (const { answer } of asked) answer('OK');
    expect(publisher.isIdle()).toBe(true);
  });
  expect(numbers().map(([prev]) => prev)).toEqual([
    0,
    ...numbers()
      .slice(0, -1)
      .map(([, last]) => last),
  ]);
  expect(numbers().at(-1)?.[1]).toBe(24);
  publisher.stop();
});

it('starts over if one of several writes is refused, after all of them are answered', async () => {
  const { publisher, publish, asked, started } = publishing();
  await started();
  publish(4);
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(3));
  const [, first, ...rest] = asked;
  first?.answer('RESET');
  await roundTrip();
  expect(asked.filter(({ isBase }) => isBase)).toHaveLength(1);
  for (const { answer } of rest) answer('RESET');
  await vi.waitFor(() => expect(asked.filter(({ isBase }) => isBase)).toHaveLength(2));
  publisher.stop();
});

it('resends only what hadn’t arrived after a broken connection', async () => {
  const { publisher, publish, asked, numbers, started } = publishing();
  await started();
  publish(4);
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(3));
  const before = numbers();
  for (const { fail } of asked.slice(1)) fail();
  await roundTrip();
  publisher.resume('epoch', String(before[1]?.[1]));
  await vi.waitFor(() => expect(numbers().length).toBeGreaterThan(before.length), 5_000);
  expect(numbers()[before.length]).toEqual(before[2]);
  expect(asked.filter(({ isBase }) => isBase)).toHaveLength(1);
  publisher.stop();
});

it('keeps what Redis has of a resting session when it is opened', async () => {
  const { publisher, asked } = publishing({ mark: 'as on disk' });
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  asked[0]?.answer('OK');
  await vi.waitFor(() => expect(publisher.isIdle()).toBe(true));
  expect(asked).toMatchObject([{ isAdoption: true }]);
  publisher.stop();
});

it('writes the whole session if it was opened while Redis was unreachable', async () => {
  let isConnected = false;
  const { publisher, publish, asked } = publishing({ mark: 'as on disk', mayWrite: () => isConnected });
  await roundTrip();
  publish(1);
  await roundTrip();
  isConnected = true;
  publisher.wake();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  expect(asked).toMatchObject([{ isBase: true, isAdoption: false }]);
  publisher.stop();
});

it('writes the whole session if the connection breaks while it keeps what Redis has', async () => {
  const { publisher, publish, asked } = publishing({ mark: 'as on disk' });
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  asked[0]?.fail();
  publish(1);
  await vi.waitFor(() => expect(asked).toHaveLength(2), 5_000);
  expect(asked).toMatchObject([{ isAdoption: true }, { isBase: true, isAdoption: false }]);
  publisher.stop();
});
