import { expect, test } from 'vitest';
import { createTextTail } from './spawn-agent.ts';

test('keeps short text whole', () => {
  const tail = createTextTail(10);
  tail.push('abc');
  tail.push('def');
  expect(tail.read()).toBe('abcdef');
});

test('keeps the last characters of long text, however it is split', () => {
  const whole = Array.from({ length: 500 }, (_, index) => String(index)).join(',');
  for (const step of [1, 3, 7, 400]) {
    const tail = createTextTail(32);
    for (let at = 0; at < whole.length; at += step) tail.push(whole.slice(at, at + step));
    expect(tail.read()).toBe(whole.slice(-32));
  }
});
