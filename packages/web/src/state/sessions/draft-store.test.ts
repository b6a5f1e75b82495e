import { expect, test } from 'vitest';
import { memoryStorage } from '../../testing/memory-storage.ts';
import { createDraftStore } from './draft-store.ts';

test('two tabs with different texts keep each its own after a reload', () => {
  const [shared, ownOfFirst] = [memoryStorage(), memoryStorage()];
  const first = createDraftStore(shared, ownOfFirst);
  const second = createDraftStore(shared, memoryStorage());
  first.write('s', 'typed first');
  second.write('s', 'typed second');
  expect(createDraftStore(shared, ownOfFirst).read('s')).toBe('typed first');
  expect(createDraftStore(shared, memoryStorage()).read('s')).toBe('typed second');
});

test('a message that was sent leaves no draft, except what another tab typed', () => {
  const shared = memoryStorage();
  const [first, second] = [createDraftStore(shared, memoryStorage()), createDraftStore(shared, memoryStorage())];
  first.write('s', 'typed first');
  first.write('s', '');
  expect([first.read('s'), second.read('s')]).toEqual(['', '']);
  first.write('s', 'typed first');
  second.write('s', 'typed second');
  first.write('s', '');
  expect([first.read('s'), second.read('s')]).toEqual(['', 'typed second']);
});
