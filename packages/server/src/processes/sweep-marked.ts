import { setTimeout as wait } from 'node:timers/promises';
import { type Family, familyIn } from './find-family.ts';
import { readProcessTable, type ReadProcessTable } from './process-table.ts';

/** Sends a signal; a process that is already gone, or is not ours, is no error. */
export function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH or EPERM: nothing to be done about it.
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

/** Looks for those still living, again and again; where the system shows no processes, the group is all there is. */
function createLookout(family: Family, read: ReadProcessTable): () => Promise<number[]> {
  let known: ReadonlySet<number> = new Set();
  return async () => {
    const table = await read();
    if (table === null) return family.leader !== undefined && groupExists(family.leader) ? [-family.leader] : [];
    const found = await familyIn(table, family, known);
    // One whose mark cannot be seen is found by its parent alone, which may be the next to go.
    if (table.mayHideMarks) known = new Set(found);
    return found;
  };
}

/**
 * Ends every process of a family: asks first, and after `graceMs` no longer asks. Resolves when none is left, or after
 * the last attempt; never throws.
 */
export async function sweepMarked(
  family: Family,
  graceMs: number,
  read: ReadProcessTable = readProcessTable,
): Promise<void> {
  const pollMs = 25;
  const began = performance.now();
  const left = createLookout(family, read);
  // Looked for before the first signal: what has lost its parent by then is harder to find.
  let living = await left();
  if (family.leader !== undefined) signalQuietly(-family.leader, 'SIGTERM');
  for (const pid of living) signalQuietly(pid, 'SIGTERM');
  // By the clock: on a busy machine it is the looking that takes the time.
  while (living.length > 0 && performance.now() - began < graceMs) {
    await wait(pollMs);
    living = await left();
  }
  // A process may fork between being seen and being killed, so more than one round.
  for (let round = 0; living.length > 0 && round < 40; round += 1) {
    if (family.leader !== undefined) signalQuietly(-family.leader, 'SIGKILL');
    for (const pid of living) signalQuietly(pid, 'SIGKILL');
    await wait(pollMs);
    living = await left();
  }
}
