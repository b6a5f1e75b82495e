import { fail, ok } from '@liminal/contracts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createMemoryStore } from '../store/memory/memory-store.ts';
import type { CompareDeps } from './compare-deps.ts';
import { createCompareTable } from './compare-table.ts';
import { createKeeping } from './keep-candidate.ts';
import { sampleComparison } from './testing/sample-comparison.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const undoing = sampleComparison(['kept', 'other'], {
  candidateId: 'kept',
  at: '2026-01-01T00:00:00.000Z',
  step: 'undoing',
  merge: { how: 'merge', from: 'a', to: 'b' },
  error: null,
});

it('parks the others after a restart if undoing, which a killed server had begun, is refused', async () => {
  const store = createMemoryStore();
  await store.write([{ type: 'put-compare', row: undoing }]);
  const table = createCompareTable(store);
  const parked: string[] = [];
  const worktrees = {
    undoMerge: async () => fail('STALE', 'The branch has moved on.'),
    read: async () => ok({ state: 'ready', branch: 'other' }),
    park: async (worktreeId: string) => ok(void parked.push(worktreeId)),
  };
  const deps = { worktrees, sessions: {}, directory: {}, undoMs: 1_000 } as unknown as CompareDeps;
  const keeping = createKeeping(
    deps,
    table,
    async () => null,
    async () => {},
  );

  await keeping.recover();
  expect(table.all()[0]?.kept).toMatchObject({ step: 'waiting', error: 'The branch has moved on.' });
  await vi.advanceTimersByTimeAsync(1_000);
  await keeping.close();
  expect(parked).toEqual(['other-tree']);
  expect(table.all()[0]?.kept).toMatchObject({ step: 'parked' });
});

it('stops the check of a candidate before it parks it', async () => {
  const store = createMemoryStore();
  const kept = { ...undoing.kept!, step: 'waiting', merge: null } as const;
  await store.write([{ type: 'put-compare', row: { ...undoing, kept } }]);
  const steps: string[] = [];
  const worktrees = {
    read: async () => ok({ state: 'ready', branch: 'other' }),
    park: async (worktreeId: string) => ok(void steps.push(`park ${worktreeId}`)),
  };
  const deps = { worktrees, sessions: {}, directory: {}, undoMs: 1_000 } as unknown as CompareDeps;
  const stopCheck = async (candidateId: string) => void steps.push(`stop ${candidateId}`);
  const keeping = createKeeping(deps, createCompareTable(store), async () => null, stopCheck);

  await keeping.recover();
  await vi.advanceTimersByTimeAsync(1_000);
  await keeping.close();
  expect(steps).toEqual(['stop other', 'park other-tree']);
});

it('CM-3: leaves a candidate that is still starting alone, and parks it once its start has settled', async () => {
  const store = createMemoryStore();
  const kept = { ...undoing.kept!, step: 'waiting', merge: null } as const;
  const [first, second] = undoing.candidates;
  const row = { ...undoing, kept, candidates: [first!, { ...second!, state: 'starting' as const }] };
  await store.write([{ type: 'put-compare', row }]);
  const table = createCompareTable(store);
  const parked: string[] = [];
  const worktrees = {
    read: async () => ok({ state: 'ready', branch: 'other' }),
    park: async (worktreeId: string) => ok(void parked.push(worktreeId)),
  };
  const deps = { worktrees, sessions: {}, directory: {}, undoMs: 1_000 } as unknown as CompareDeps;
  const keeping = createKeeping(
    deps,
    table,
    async () => null,
    async () => {},
  );

  await keeping.recover();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(table.all()).toMatchObject([{ kept: { step: 'waiting', error: null } }]);
  expect(parked).toEqual([]);
  await table.changeCandidate('one', 'other', { state: 'failed' });
  keeping.startSettled(table.all()[0]!);
  await vi.waitUntil(() => table.all()[0]?.kept?.step === 'parked');
  expect(parked).toEqual(['other-tree']);
});

it('CM-3: closes without waiting for a candidate that keeps working, and leaves the parking to the next server', async () => {
  const store = createMemoryStore();
  const kept = { ...undoing.kept!, step: 'waiting', merge: null } as const;
  const [first, second] = undoing.candidates;
  const row = { ...undoing, kept, candidates: [first!, { ...second!, sessionId: 's' }] };
  await store.write([{ type: 'put-compare', row }]);
  const park = vi.fn(async () => ok(null));
  const cancel = vi.fn(async () => ok(null));
  const deps = {
    worktrees: { read: async () => ok({ state: 'ready', branch: 'other' }), park },
    sessions: { cancel },
    directory: { get: () => ({ activity: 'working' }), follow: () => () => {} },
    undoMs: 1_000,
  } as unknown as CompareDeps;
  const table = createCompareTable(store);
  const keeping = createKeeping(
    deps,
    table,
    async () => null,
    async () => {},
  );

  await keeping.recover();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(cancel).toHaveBeenCalled();
  // The clock stands still: only closing can end the wait.
  await keeping.close();
  expect(park).not.toHaveBeenCalled();
  expect(table.all()).toMatchObject([{ kept: { step: 'waiting', error: null }, candidates: [{}, { parked: false }] }]);
});
