import { setTimeout as wait } from 'node:timers/promises';
import { type Family, familyIn } from './find-family.ts';
import { type ProcessEntry, readProcessTable, type ReadProcessTable } from './process-table.ts';

/** Sends a signal. A process that is gone, or isn't ours, is no error. */
export function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH or EPERM: there is nothing to do.
  }
}

function groupExists(leader: number): boolean {
  try {
    process.kill(-leader, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Finds the remaining processes again and again. If the system shows none, only the group is known. One that was found
 * counts until it is gone, because its mark may not stay visible: Linux shows no environment of a process that is ending
 * or starting another program. macOS shows none of the programs it protects, such as its own shell; they are found only
 * through their parents, which may end first.
 */
function createFamilyFinder(family: Family, read: ReadProcessTable): () => Promise<number[]> {
  let known: readonly ProcessEntry[] = [];
  return async () => {
    const table = await read();
    if (table === null) return family.leader !== undefined && groupExists(family.leader) ? [-family.leader] : [];
    const isKnown = ({ pid, started }: ProcessEntry): boolean =>
      known.some((entry) => entry.pid === pid && entry.started === started);
    const found = await familyIn(table, family, new Set(table.entries.filter(isKnown).map(({ pid }) => pid)));
    known = table.entries.filter(({ pid }) => found.includes(pid));
    return found;
  };
}

/**
 * Ends every process of a family: SIGTERM first, and SIGKILL after `graceMs`. Resolves when none is left, or after the
 * last attempt. Never throws.
 */
export async function sweepMarked(
  family: Family,
  graceMs: number,
  read: ReadProcessTable = readProcessTable,
): Promise<void> {
  const pollMs = 25;
  const began = performance.now();
  const left = createFamilyFinder(family, read);
  // Search before the first signal: a process that loses its parent is harder to find.
  let living = await left();
  if (family.leader !== undefined) signalQuietly(-family.leader, 'SIGTERM');
  for (const pid of living) signalQuietly(pid, 'SIGTERM');
  // Measured by the clock, because on a busy machine the search takes most of the time.
  while (living.length > 0 && performance.now() - began < graceMs) {
    await wait(pollMs);
    living = await left();
  }
  // A process may fork between being found and being killed, so repeat.
  for (let round = 0; living.length > 0 && round < 40; round += 1) {
    if (family.leader !== undefined) signalQuietly(-family.leader, 'SIGKILL');
    for (const pid of living) signalQuietly(pid, 'SIGKILL');
    await wait(pollMs);
    living = await left();
  }
}
