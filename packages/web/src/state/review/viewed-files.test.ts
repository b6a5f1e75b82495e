import { expect, it } from 'vitest';
import { memoryStorage } from '../../testing/memory-storage.ts';
import { createViewedFiles } from './viewed-files.ts';

it('RV-2: remembers the viewed files of each session through a reload, until they are unmarked', () => {
  const storage = memoryStorage();
  createViewedFiles(storage, 's1').keep('a.ts', 'one');
  createViewedFiles(storage, 's2').keep('a.ts', 'other');
  createViewedFiles(storage, 's1').keep('a.ts', 'two');
  expect([...createViewedFiles(storage, 's1').read()]).toEqual([['a.ts', 'two']]);
  expect([...createViewedFiles(storage, 's2').read()]).toEqual([['a.ts', 'other']]);
  createViewedFiles(storage, 's1').keep('a.ts', null);
  expect(createViewedFiles(storage, 's1').read().size).toBe(0);
});

it('starts over if the stored value can’t be read', () => {
  const storage = memoryStorage();
  storage.write('liminal.viewed', '[["s1","a.ts"],7]');
  expect(createViewedFiles(storage, 's1').read().size).toBe(0);
});
