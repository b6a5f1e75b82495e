import { afterEach, describe, expect, it, vi } from 'vitest';
import { createMemoryStore } from '../store/memory/memory-store.ts';
import type { Store } from '../store/store.ts';
import { createDeliverer } from './deliver.ts';

const at = '2026-01-01T05:00:00.000Z';
const anHourMs = 3_600_000;
afterEach(() => void vi.useRealTimers());

/** A webhook with one event from before the clock was moved back by five hours. Every attempt fails. */
async function setup(
  attempts: number,
  onError: (error: unknown) => void = (error) => expect.unreachable(String(error)),
) {
  const store = createMemoryStore();
  const disk = { isFull: false };
  const write: Store['write'] = async (writes) => {
    if (disk.isFull) throw new Error('The disk is full.');
    await store.write(writes);
  };
  const event = { id: 'e.1', at, kind: 'session-created', sessionId: 's', projectId: 'p', cliType: 'demo' } as const;
  const addressed = { url: 'http://hooks.example/', events: ['session-created'], allowPrivate: false };
  await store.write([
    {
      type: 'put-webhook',
      row: { ...addressed, webhookId: 'w', includeTitle: false, secret: 'whsec_x', createdAt: at },
    },
    { type: 'put-delivery', row: { webhookId: 'w', event, attempts, nextAt: at } },
  ]);
  const tried = () => store.deliveries('w')[0]?.attempts;
  const deliverer = createDeliverer({
    store: { ...store, write },
    version: 'test',
    now: () => Date.parse(at) - 5 * anHourMs,
    backoffMs: () => 10_000,
    ownPort: () => 1,
    timeoutMs: 1_000,
    lookup: async () => [],
    onError,
  });
  return { deliverer, tried, disk };
}

describe('an event from before the clock was moved back', () => {
  it('is delivered at once if it is new', async () => {
    const { deliverer, tried } = await setup(0);
    deliverer.wake('w');
    await vi.waitFor(() => expect(tried()).toBe(1));
    await deliverer.close();
  });

  it('waits no longer than usual between two attempts', async () => {
    vi.useFakeTimers();
    const { deliverer, tried } = await setup(2);
    deliverer.wake('w');
    await vi.advanceTimersByTimeAsync(9_999);
    expect(tried()).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(tried()).toBe(3);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(tried()).toBe(4);
    await deliverer.close();
  });
});

it('tries again by itself after an attempt that couldn’t be recorded', async () => {
  vi.useFakeTimers();
  const onError = vi.fn();
  const { deliverer, tried, disk } = await setup(0, onError);
  disk.isFull = true;
  deliverer.wake('w');
  await vi.advanceTimersByTimeAsync(9_999);
  expect(onError).toHaveBeenCalledTimes(1);
  disk.isFull = false;
  await vi.advanceTimersByTimeAsync(1);
  expect(tried()).toBe(1);
  await deliverer.close();
});
