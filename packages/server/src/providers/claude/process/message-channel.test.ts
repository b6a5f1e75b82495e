import { expect, test } from 'vitest';
import { createMessageChannel } from './message-channel.ts';

test('messages come in order, the reader waits while there are none, and closing ends it after the last', async () => {
  const channel = createMessageChannel<number>();
  channel.push(1);
  const read: number[] = [];
  const reading = (async () => {
    for await (const message of channel) read.push(message);
  })();
  await Promise.resolve();
  channel.push(2);
  channel.push(3);
  channel.close();
  await reading;
  expect(read).toEqual([1, 2, 3]);
});
