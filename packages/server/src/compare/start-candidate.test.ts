import { ok } from '@liminal/contracts';
import { expect, it } from 'vitest';
import { createMemoryStore } from '../store/memory/memory-store.ts';
import type { CompareRow } from '../store/compare-rows.ts';
import type { CompareDeps } from './compare-deps.ts';
import { createCompareTable } from './compare-table.ts';
import { interrupted, startCandidate } from './start-candidate.ts';
import { sampleComparison } from './testing/sample-comparison.ts';

const kept: CompareRow['kept'] = {
  candidateId: 'kept',
  at: '2026-01-01T00:00:00.000Z',
  step: 'waiting',
  merge: null,
  error: null,
};

/** Starts a candidate and, during the given step, keeps the other one or closes the server. Returns the steps it took. */
async function startUntil(during: string, what: 'keep' | 'close'): Promise<{ steps: string[]; ended: unknown }> {
  const store = createMemoryStore();
  const sample = sampleComparison(['kept', 'late']);
  const late = { ...sample.candidates[1]!, state: 'starting', worktreeId: null } as const;
  const row = { ...sample, candidates: [sample.candidates[0]!, late] };
  await store.write([{ type: 'put-compare', row }]);
  const table = createCompareTable(store);
  const steps: string[] = [];
  const closing = new AbortController();
  const interrupt = async () => {
    if (what === 'close') closing.abort();
    else await table.change(row.compareId, (now) => ({ ...now, kept }));
  };
  const step = async <T>(name: string, value: T) => {
    steps.push(name);
    if (name === during) await interrupt();
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
  if (during === 'begin') await interrupt();
  return { ended: await startCandidate(deps, table, row, late, closing.signal), steps };
}

const cases: [string, string[]][] = [
  ['begin', []],
  ['open worktree', ['make worktree', 'open worktree']],
  ['create session', ['make worktree', 'open worktree', 'create session']],
];

it.each(cases)('CM-3: goes no further if another candidate is kept during the step "%s"', async (during, steps) => {
  const failure = { code: 'STALE', message: 'Another candidate was kept before this one started.' };
  expect(await startUntil(during, 'keep')).toMatchObject({ ended: { failure }, steps });
});

it.each(cases)('CM-3: goes no further if the server closes during the step "%s"', async (during, steps) => {
  expect(await startUntil(during, 'close')).toEqual({ ended: interrupted, steps });
});
