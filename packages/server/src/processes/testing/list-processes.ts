import { type Family, familyIn } from '../find-family.ts';
import { type ProcessEntry, readProcessTable } from '../process-table.ts';

/** Every living process; empty where the system shows none. */
export const livingProcesses = async (): Promise<readonly ProcessEntry[]> => (await readProcessTable())?.entries ?? [];

/** Every living process that belongs to an agent; empty where the system shows no processes. */
export async function findFamily(family: Family): Promise<number[]> {
  const table = await readProcessTable();
  return table === null ? [] : familyIn(table, family);
}
