import { type Family, familyIn } from '../find-family.ts';
import { type ProcessEntry, readProcessTable } from '../process-table.ts';

/** All living processes, or none if the system doesn't show them. */
export const livingProcesses = async (): Promise<readonly ProcessEntry[]> => (await readProcessTable())?.entries ?? [];

/** All living processes of agents, or none if the system doesn't show processes. */
export async function findFamily(family: Family): Promise<number[]> {
  const table = await readProcessTable();
  return table === null ? [] : familyIn(table, family);
}
