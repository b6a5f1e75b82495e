import { expect, it } from 'vitest';
import { type DeflateContext, deflateShared, emptyContext } from './shared-deflate.ts';

const frames = Array.from({ length: 40 }, (_, seq) => ({
  message: Buffer.from(`{"seq":${seq},"${'x'.repeat(200)}"}`),
}));
const send = (context: DeflateContext, among: typeof frames) =>
  among.reduce((before, frame) => deflateShared(before, frame, frame.message).context, context);

it('gives readers of the same frames the same bytes and the same context', () => {
  const [frame] = frames as [(typeof frames)[0]];
  expect(deflateShared(emptyContext, frame, frame.message)).toBe(deflateShared(emptyContext, frame, frame.message));
});

it('gives readers that started differently the same context, once they were sent the same 4 kB', () => {
  const early = { message: Buffer.from('said to one reader alone') };
  const [one, two] = [emptyContext, deflateShared(emptyContext, early, early.message).context];
  expect(send(one, frames.slice(0, 10))).not.toBe(send(two, frames.slice(0, 10)));
  expect(send(one, frames)).toBe(send(two, frames));
});
