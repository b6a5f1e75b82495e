import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isModestJson } from './is-modest-json.ts';

it('accepts every JSON text of ordinary size, with any strings', () => {
  fc.assert(fc.property(fc.json({ maxDepth: 20 }), (text) => isModestJson(text)));
  for (const string of ['"', '\\', '\\"', '[[[['.repeat(100), '{'.repeat(100), ',"'.repeat(300_000)]) {
    expect(isModestJson(JSON.stringify({ string }))).toBe(true);
  }
});

it.each([
  ['lists in lists', '['.repeat(65)],
  ['objects in objects', '{"a":'.repeat(65)],
  ['lists in lists after a string with brackets and quotes', `["]]]\\"]]]",${'['.repeat(65)}`],
  ['very many parts', `[${'1,'.repeat(200_001)}1]`],
  ['very many empty lists', `[${'[],'.repeat(200_001)}1]`],
])('rejects %s', (_what, text) => {
  expect(isModestJson(text)).toBe(false);
});

it('reads no more of a deeply nested text than necessary', () => {
  let read = 0;
  const text = { length: 30_000_000, charCodeAt: () => (read += 1) && 91 } as unknown as string;
  expect(isModestJson(text)).toBe(false);
  expect(read).toBeLessThan(100);
});
