import { ok } from '@liminal/contracts';
import { expect, it } from 'vitest';
import { createMemoryStore } from '../store/memory/memory-store.ts';
import type { CompareRow } from '../store/compare-rows.ts';
import type { CompareDeps } from './compare-deps.ts';
import { createCompareTable } from './compare-table.ts';
import { startCandidate } from './start-candidate.ts';
import { sampleComparison } from './testing/sample-comparison.ts';

const kept: CompareRow['kept'] = {
  candidateId: 'kept',
  at: '2026-01-01T00:00:00.000Z',
  step: 'waiting',
  merge: null,
  error: null,
};

/** Starts a candidate and keeps the other one during the given step. Returns the steps it took. */
async function startWhileKeeping(during: string): Promise<{ steps: string[]; ended: unknown }> {
  const store = createMemoryStore();
  const sample = sampleComparison(['kept', 'late']);
  const late = { ...sample.candidates[1]!, state: 'starting', worktreeId: null } as const;
  const row = { ...sample, candidates: [sample.candidates[0]!, late] };
  await store.write([{ type: 'put-compare', row }]);
  const table = createCompareTable(store);
  const steps: string[] = [];
  const step = async <T>(name: string, value: T) => {
    steps.push(name);
    if (name === during) await table.change(row.compareId, (now) => ({ ...now, kept }));
    return ok(value);
  };
  const deps = {
    store,
    newId: () => 'tree',
    worktrees: {
      create: () => step('make worktree', { worktreeId: 'tree' }),
      open: () => step('open worktree', null),
    },
    sessions: { create: () => step('create session', { sessionId: 's' }), send: () => step('send', null) },
  } as unknown as CompareDeps;
  if (during === 'begin') await table.change(row.compareId, (now) => ({ ...now, kept }));
  return { ended: await startCandidate(deps, table, row, late), steps };
}

it.each([
  ['begin', []],
  ['open worktree', ['make worktree', 'open worktree']],
  ['create session', ['make worktree', 'open worktree', 'create session']],
])('CM-3: goes no further if another candidate is kept during the step "%s"', async (during, steps) => {
  const failure = { code: 'STALE', message: 'Another candidate was kept before this one started.' };
  expect(await startWhileKeeping(during)).toMatchObject({ ended: { failure }, steps });
});
