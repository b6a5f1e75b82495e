import { inSlices } from './in-slices.ts';
import type { Marks, ProcessEntry, ProcessTable } from './process-table.ts';

export type Family = Marks & {
  /** The process group that the agent leads. Its id is the agent's pid. */
  readonly leader?: number;
};

/** The leader's group and its descendants, even those that left the group, and the descendants of `known` ones. */
export function groupAndDescendants(
  leader: number,
  table: readonly ProcessEntry[],
  known: ReadonlySet<number> = new Set(),
): Set<number> {
  const kin = new Set([leader, ...known]);
  for (const entry of table) if (entry.group === leader) kin.add(entry.pid);
  let before = 0;
  while (kin.size > before) {
    before = kin.size;
    for (const entry of table) if (kin.has(entry.parent)) kin.add(entry.pid);
  }
  return kin;
}

/**
 * The processes that belong to an agent: its group, its descendants, and, found by their marks, those that called
 * `setsid` and lost their parent. `known` ones belong to it as long as they live.
 */
export async function familyIn(
  table: ProcessTable,
  { leader, ...marks }: Family,
  known: ReadonlySet<number> = new Set(),
): Promise<number[]> {
  const { entries } = table;
  const kin = leader === undefined ? new Set(known) : groupAndDescendants(leader, entries, known);
  const found = await inSlices(entries, ({ pid }) => kin.has(pid) || table.isMarked(pid, marks));
  return entries.filter(({ pid }, index) => found[index] && pid !== process.pid).map(({ pid }) => pid);
}
