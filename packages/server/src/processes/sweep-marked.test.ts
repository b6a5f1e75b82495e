import { expect, it } from 'vitest';
import type { ProcessEntry, ProcessTable } from './process-table.ts';
import { sweepMarked } from './sweep-marked.ts';

/** No system uses such ids, so the signals reach nobody. */
const [first, second] = [999_999_990, 999_999_991];
const entry = (pid: number, started: number): ProcessEntry => ({ pid, parent: 1, group: pid, started });

/** Sweeps through these tables, each with the processes alive and those whose mark is visible. Returns how many it read. */
async function sweep(
  tables: readonly { readonly alive: readonly ProcessEntry[]; readonly marked: readonly number[] }[],
) {
  let reads = 0;
  await sweepMarked({ mark: 'MARK=1' }, 60_000, () => {
    const { alive = [], marked = [] } = tables[reads] ?? {};
    reads += 1;
    const table: ProcessTable = { entries: alive, isMarked: (pid) => marked.includes(pid) };
    return Promise.resolve(table);
  });
  return reads;
}

it('waits for a process that shows its mark no longer, because it is ending', async () => {
  const [one, two] = [entry(first, 5), entry(second, 5)];
  expect(
    await sweep([
      { alive: [one, two], marked: [first, second] },
      { alive: [one, two], marked: [second] },
      { alive: [one], marked: [] },
      { alive: [], marked: [] },
    ]),
  ).toBe(4);
});

it('leaves alone a later process with the same id', async () => {
  expect(
    await sweep([
      { alive: [entry(first, 5)], marked: [first] },
      { alive: [entry(first, 6)], marked: [] },
    ]),
  ).toBe(2);
});
