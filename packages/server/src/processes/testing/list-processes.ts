import { readFileSync } from 'node:fs';
import { processStartIn } from '@liminal/domain/time/process-start';
import { type Family, familyIn } from '../find-family.ts';
import { type ProcessEntry, readProcessTable } from '../process-table.ts';

/** All living processes, or none if the system doesn't show them. */
export const livingProcesses = async (): Promise<readonly ProcessEntry[]> => (await readProcessTable())?.entries ?? [];

/** All living processes of agents, oldest first, or none if the system doesn't show processes. */
export async function findFamily(family: Family): Promise<number[]> {
  const table = await readProcessTable();
  const found = table === null ? [] : await familyIn(table, family);
  return found.toSorted((a, b) => startOf(a) - startOf(b) || a - b);
}

/** When a process started, if Linux tells. Its id doesn't: ids start over after a while. */
function startOf(pid: number): number {
  try {
    return processStartIn(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? 0;
  } catch {
    return 0;
  }
}
