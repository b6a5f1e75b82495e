import type { UpsertObject } from '@liminal/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sameItem, sameValue } from './same-value.ts';

describe('sameValue', () => {
  test('compares JSON values as equal to their copies', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(sameValue(value, structuredClone(value))).toBe(true);
      }),
    );
  });

  test('treats missing and undefined fields as the same, but not null', () => {
    expect(sameValue({ a: 1, b: undefined }, { a: 1 })).toBe(true);
    expect(sameValue({ a: 1 }, { a: 1, b: undefined })).toBe(true);
    expect(sameValue({ a: 1 }, { a: 1, b: null })).toBe(false);
  });

  test('compares arrays by length and order, and distinguishes them from objects', () => {
    expect(sameValue([1, 2], [1, 2, 3])).toBe(false);
    expect(sameValue([1, 2, 3], [1, 2])).toBe(false);
    expect(sameValue([1, 2], [2, 1])).toBe(false);
    expect(sameValue([], {})).toBe(false);
  });
});

describe('sameItem', () => {
  const item: UpsertObject = {
    type: 'message',
    turnId: 't',
    sessionId: 's',
    itemId: 't:1:0',
    sourceTimestamp: '2026-01-01T00:00:00.000Z',
    emittedAt: '2026-01-01T00:00:00.000Z',
    status: 'update',
    content: 'hello',
    origin: 'agent',
  };

  test('ignores emission times, and nothing else', () => {
    expect(sameItem(item, { ...item, emittedAt: '2026-01-01T00:00:09.000Z' })).toBe(true);
    expect(sameItem(item, { ...item, content: 'hello!' })).toBe(false);
    expect(sameItem(item, { ...item, status: 'complete' })).toBe(false);
    expect(sameItem(item, { ...item, order: 1 })).toBe(false);
  });
});
