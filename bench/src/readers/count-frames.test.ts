import { expect, it } from 'vitest';
import { createFrameCount } from './count-frames.ts';

const frame = (length: number, first = 0x81): Buffer => {
  const head =
    length < 126
      ? Buffer.from([first, length])
      : length < 65_536
        ? Buffer.from([first, 126, length >> 8, length & 0xff])
        : Buffer.concat([Buffer.from([first, 127]), Buffer.from(BigInt(length).toString(16).padStart(16, '0'), 'hex')]);
  return Buffer.concat([head, Buffer.alloc(length, 0x81)]);
};

const stream = Buffer.concat([
  frame(0),
  frame(125),
  frame(126),
  frame(70_000),
  // A ping, and a message in two frames.
  frame(4, 0x89),
  frame(10, 0x01),
  frame(10, 0x80),
]);

it.each([1, 2, 3, 7, 1000, stream.length])('counts five messages in pieces of %s bytes', (size) => {
  let messages = 0;
  const take = createFrameCount(() => (messages += 1));
  for (let at = 0; at < stream.length; at += size) take(stream.subarray(at, at + size));
  expect(messages).toBe(5);
});
