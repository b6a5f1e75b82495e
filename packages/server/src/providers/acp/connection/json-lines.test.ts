import { expect, test } from 'vitest';
import { LineTooLong } from '../../kit/line-limit.ts';
import { createJsonLines } from './json-lines.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('reads objects however the stream is cut, even inside a character', () => {
  const whole = bytes('{"a":1}\n{"b":"ä€😀"}\r\n\n{"c":{"d":[1,2]}}\n');
  for (const step of [1, 2, 5, 1000]) {
    const seen: unknown[] = [];
    const lines = createJsonLines((value) => seen.push(value));
    for (let at = 0; at < whole.length; at += step) lines.push(whole.subarray(at, at + step));
    expect(seen).toEqual([{ a: 1 }, { b: 'ä€😀' }, { c: { d: [1, 2] } }]);
    expect(lines.strayLines).toBe(0);
  }
});

test('counts and skips log lines, half objects, arrays and numbers on stdout', () => {
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

test('rejects a line above the limit before buffering it', () => {
  const lines = createJsonLines(() => {}, undefined, 100);
  lines.push(bytes(`{"a":"${'x'.repeat(80)}"}\n`));
  lines.push(bytes('x'.repeat(90)));
  expect(() => lines.push(bytes('x'.repeat(20)))).toThrow(LineTooLong);
});
