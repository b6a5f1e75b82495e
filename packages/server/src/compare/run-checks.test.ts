import { ok } from '@liminal/contracts';
import { expect, it } from 'vitest';
import { createMemoryStore } from '../store/memory/memory-store.ts';
import type { CompareDeps } from './compare-deps.ts';
import { createCompareTable } from './compare-table.ts';
import { createChecks } from './run-checks.ts';
import { sampleComparison } from './testing/sample-comparison.ts';

const row = sampleComparison(['a', 'b']);

it('stops the check of one candidate and waits for its end, while others go on', async () => {
  const store = createMemoryStore();
  await store.write([{ type: 'put-compare', row }]);
  const table = createCompareTable(store);
  const run = (_: string, __: string, signal: AbortSignal) =>
    new Promise((resolve) => {
      const end = () => resolve(ok({ output: 'half', exitCode: null, stopped: 'cancel' }));
      if (signal.aborted) end();
      signal.addEventListener('abort', end);
    });
  const checks = createChecks(
    { worktrees: { run }, settings: { get: () => ({ checkCommand: 'test' }) } } as unknown as CompareDeps,
    table,
  );
  for (const each of row.candidates) expect(checks.begin(row, each)).toEqual(ok(null));
  await checks.stop('a');
  const [a, b] = table.all()[0]?.candidates ?? [];
  expect(a?.check).toMatchObject({ state: 'failed', output: 'half\nThe command was stopped.' });
  expect(b?.check).toMatchObject({ state: 'running' });
  await checks.close();
  expect(table.all()[0]?.candidates[1]?.check).toMatchObject({ state: 'failed' });
});
