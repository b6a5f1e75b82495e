import { carriesLimit, carriesMark, type ProcessEntry, readProcessTable } from './process-table.ts';

export type Family = {
  /** The process group the agent leads; its id is the agent's pid. */
  readonly leader?: number;
  /** `NAME=value` in the environment the process was started with. */
  readonly mark?: string;
  /** Value of the resource limit that marks its processes, where one could be set. */
  readonly limit?: string | null;
};

/** The leader's group and its descendants, also those that left the group. */
export function kinOf(leader: number, table: readonly ProcessEntry[]): Set<number> {
  const kin = new Set([leader]);
  for (const entry of table) if (entry.group === leader) kin.add(entry.pid);
  let before = 0;
  while (kin.size > before) {
    before = kin.size;
    for (const entry of table) if (kin.has(entry.parent)) kin.add(entry.pid);
  }
  return kin;
}

/**
 * Every living process that belongs to an agent: its group, its descendants, and, by the mark in their environment
 * or their limits, those that called `setsid` and lost their parent. Empty on systems without `/proc`.
 */
export async function findFamily({ leader, mark, limit = null }: Family): Promise<number[]> {
  const table = await readProcessTable();
  const kin = leader === undefined ? new Set<number>() : kinOf(leader, table);
  const isMarked = async (pid: number): Promise<boolean> =>
    (mark !== undefined && (await carriesMark(pid, mark))) || (limit !== null && (await carriesLimit(pid, limit)));
  const found = await Promise.all(table.map(async ({ pid }) => kin.has(pid) || (await isMarked(pid))));
  return table.filter(({ pid }, index) => found[index] && pid !== process.pid).map(({ pid }) => pid);
}
