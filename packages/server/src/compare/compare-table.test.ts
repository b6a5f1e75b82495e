import { expect, it } from 'vitest';
import { createMemoryStore } from '../store/memory/memory-store.ts';
import { createCompareTable } from './compare-table.ts';
import { sampleComparison } from './testing/sample-comparison.ts';

it('CM-3: keeps the images of a message only while a candidate can still need them to start', async () => {
  const store = createMemoryStore();
  const table = createCompareTable(store);
  const sample = sampleComparison(['a', 'b']);
  const images = [{ data: 'aGk=', mimeType: 'image/png' as const }];
  const [a, b] = sample.candidates;
  await table.add({
    ...sample,
    message: { ...sample.message, images },
    candidates: [
      { ...a!, state: 'starting' },
      { ...b!, state: 'starting' },
    ],
  });
  const kept = () => [table.all(), store.compares()].map(([row]) => row?.message.images);
  await table.changeCandidate('one', 'a', { state: 'started' });
  await table.changeCandidate('one', 'b', { state: 'failed' });
  expect(kept()).toEqual([images, images]);
  await table.changeCandidate('one', 'b', { state: 'started' });
  expect(kept()).toEqual([[], []]);
});
