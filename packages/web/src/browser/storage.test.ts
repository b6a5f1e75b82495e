import { describe, expect, it } from 'vitest';
import { readJson, safeStorage } from './storage.ts';

function fakeArea(limit = Infinity): globalThis.Storage {
  const held = new Map<string, string>();
  return {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (value.length > limit) throw new DOMException('full', 'QuotaExceededError');
      held.set(key, value);
    },
    removeItem: (key: string) => held.delete(key),
    key: (index: number) => [...held.keys()][index] ?? null,
    get length() {
      return held.size;
    },
  } as unknown as globalThis.Storage;
}

describe('safeStorage', () => {
  it('keeps what it stores', () => {
    const storage = safeStorage(() => fakeArea());
    storage.write('a', '1');
    expect(storage.read('a')).toBe('1');
    storage.write('a', null);
    expect(storage.read('a')).toBeNull();
  });

  it('works in memory if the browser refuses storage', () => {
    const storage = safeStorage(() => {
      throw new DOMException('denied', 'SecurityError');
    });
    storage.write('a', '1');
    expect(storage.read('a')).toBe('1');
  });

  it('reports once that nothing is stored', () => {
    let times = 0;
    const storage = safeStorage(
      () => fakeArea(3),
      () => (times += 1),
    );
    storage.write('a', 'fit');
    expect(times).toBe(0);
    storage.write('a', 'too long');
    storage.write('a', 'too long again');
    expect(times).toBe(1);
  });

  it('returns the new value that didn’t fit, not the stale one', () => {
    const storage = safeStorage(() => fakeArea(3));
    storage.write('a', 'old');
    storage.write('a', 'too long');
    expect(storage.read('a')).toBe('too long');
  });

  it('lists the keys of all values, stored or in memory', () => {
    const storage = safeStorage(() => fakeArea(3));
    storage.write('a', '1');
    storage.write('b', 'too long');
    storage.write('c', '3');
    storage.write('a', null);
    expect(storage.keys().toSorted()).toEqual(['b', 'c']);
  });

  it('reads broken JSON as missing', () => {
    const storage = safeStorage(() => fakeArea());
    storage.write('a', '{');
    expect(readJson(storage, 'a', (value) => value)).toBeNull();
  });
});
