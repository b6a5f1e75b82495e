import { expect, it } from 'vitest';
import { createMemoryStore } from '../store/memory/memory-store.ts';
import { createCompareTable } from './compare-table.ts';
import { sampleComparison } from './testing/sample-comparison.ts';

const images = [{ data: 'aGk=', mimeType: 'image/png' as const }];

/** A comparison of two candidates, one of which failed to start. */
async function halfStarted() {
  const store = createMemoryStore();
  const table = createCompareTable(store);
  const sample = sampleComparison(['a', 'b']);
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
  return { table, kept };
}

it('CM-3: keeps the images of a message until every candidate has started', async () => {
  const { table, kept } = await halfStarted();
  await table.changeCandidate('one', 'b', { state: 'started' });
  expect(kept()).toEqual([[], []]);
});

it('CM-3: drops the images once another candidate is kept for good, so none can start again', async () => {
  const { table, kept } = await halfStarted();
  const choice = { candidateId: 'a', at: '2026-01-01T00:00:00.000Z', merge: null, error: null };
  await table.change('one', (row) => ({ ...row, kept: { ...choice, step: 'waiting' } }));
  expect(kept()).toEqual([images, images]);
  await table.change('one', (row) => ({ ...row, kept: { ...choice, step: 'parked' } }));
  expect(kept()).toEqual([[], []]);
});
