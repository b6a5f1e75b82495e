import { expect, test } from 'vitest';
import { LineTooLong } from '../../kit/line-limit.ts';
import { createJsonLines } from './json-lines.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('objects are read however the stream is cut, also inside a character', () => {
  const whole = bytes('{"a":1}\n{"b":"ä€😀"}\r\n\n{"c":{"d":[1,2]}}\n');
  for (const step of [1, 2, 5, 1000]) {
    const seen: unknown[] = [];
    const lines = createJsonLines((value) => seen.push(value));
    for (let at = 0; at < whole.length; at += step) lines.push(whole.subarray(at, at + step));
    expect(seen).toEqual([{ a: 1 }, { b: 'ä€😀' }, { c: { d: [1, 2] } }]);
    expect(lines.strayLines).toBe(0);
  }
});

test('log lines, half objects, arrays and numbers on stdout are counted and passed by', () => {
  const seen: unknown[] = [];
  const stray: string[] = [];
  const lines = createJsonLines(
    (value) => seen.push(value),
    (line) => stray.push(line),
  );
  lines.push(bytes('Starting up…\n{"a":1}\n{"half":\n[1,2]\n42\n{"b":2}\n'));
  expect(seen).toEqual([{ a: 1 }, { b: 2 }]);
  expect(stray).toEqual(['Starting up…', '{"half":', '[1,2]', '42']);
  expect(lines.strayLines).toBe(4);
});

test('a line above the limit is refused before it is held', () => {
  const lines = createJsonLines(() => {}, undefined, 100);
  lines.push(bytes(`{"a":"${'x'.repeat(80)}"}\n`));
  lines.push(bytes('x'.repeat(90)));
  expect(() => lines.push(bytes('x'.repeat(20)))).toThrow(LineTooLong);
});
