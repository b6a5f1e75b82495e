import { expect, test, vi } from 'vitest';
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

test('a session that begins keeps what is shown of its draft', () => {
  const drafts = createDraftStore(memoryStorage(), memoryStorage());
  drafts.write('old', 'typed');
  let shown = '';
  drafts.subscribe('old', () => {
    shown = drafts.read('old');
  });
  drafts.rename('old', 'new');
  expect(shown).toBe('typed');
});

test('a session that began has one draft under its old and new id, and tells whoever shows it of each change', async () => {
  const drafts = createDraftStore(memoryStorage(), memoryStorage());
  const heard = vi.fn();
  drafts.subscribe('old', heard);
  drafts.write('old', 'typed');
  drafts.write('other', 'elsewhere');
  expect(heard).toHaveBeenCalledTimes(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  const attached = drafts.attach('old', () => promise);
  drafts.rename('old', 'new');
  drafts.write('new', 'typed later');
  const image = { mimeType: 'image/png' as const, data: 'AAAA', name: 'late.png' };
  drafts.keepImages('old', [image]);
  drafts.mentions('old').add('src/a.ts');
  expect([drafts.read('old'), drafts.images('new'), [...drafts.mentions('new')]]).toEqual([
    'typed later',
    [image],
    ['src/a.ts'],
  ]);
  heard.mockClear();
  drafts.write('new', '');
  expect(heard).toHaveBeenCalledTimes(1);
  expect([drafts.isAttaching('old'), drafts.isAttaching('new'), drafts.isAttaching('other')]).toEqual([
    true,
    true,
    false,
  ]);
  resolve();
  await attached;
  expect([drafts.isAttaching('old'), drafts.isAttaching('new')]).toEqual([false, false]);
});

test('another session takes over a draft, and the next text stays in its own session', () => {
  const drafts = createDraftStore(memoryStorage(), memoryStorage());
  drafts.write('first', 'typed');
  drafts.move('first', 'second');
  drafts.write('first', 'next');
  expect([drafts.read('first'), drafts.read('second')]).toEqual(['next', 'typed']);
});
