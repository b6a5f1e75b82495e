import { expect, it } from 'vitest';
import { createQueues, createSharedReads } from './tree-queue.ts';

it('runs the tasks of one key in order, even after one that failed', async () => {
  const queues = createQueues();
  const gate = Promise.withResolvers<void>();
  const seen: string[] = [];
  const first = queues.run('a', async () => {
    await gate.promise;
    seen.push('first');
    throw new Error('no');
  });
  const second = queues.run('a', async () => void seen.push('second'));
  await queues.run('b', async () => void seen.push('other key'));
  gate.resolve();
  await expect(first).rejects.toThrow('no');
  await second;
  expect(seen).toEqual(['other key', 'first', 'second']);
  await expect.poll(() => queues.isIdle()).toBe(true);
});

it('shares a read that has not started, but never one that has', async () => {
  const shared = createSharedReads(createQueues());
  const gate = Promise.withResolvers<void>();
  let reads = 0;
  const read = async () => {
    reads += 1;
    await gate.promise;
    return reads;
  };
  const running = shared('tree', 'list', read);
  await Promise.resolve();
  const [second, third] = [shared('tree', 'list', read), shared('tree', 'list', read)];
  gate.resolve();
  expect([await running, await second, await third]).toEqual([1, 2, 2]);
});
