import { setTimeout as wait } from 'node:timers/promises';
import { type Family, findFamily } from './find-family.ts';

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

/** Those still living; on systems without `/proc` the group is all that can be seen. */
async function left(family: Family): Promise<number[]> {
  if (process.platform === 'linux') return findFamily(family);
  return family.leader !== undefined && groupExists(family.leader) ? [-family.leader] : [];
}

/**
 * Ends every process of a family: asks first, and after `graceMs` no longer asks. Resolves when none is left, or after
 * the last attempt; never throws.
 */
export async function sweepMarked(family: Family, graceMs: number): Promise<void> {
  const pollMs = 25;
  const began = performance.now();
  if (family.leader !== undefined) signalQuietly(-family.leader, 'SIGTERM');
  let living = await left(family);
  for (const pid of living) signalQuietly(pid, 'SIGTERM');
  // By the clock: on a busy machine it is the looking that takes the time.
  while (living.length > 0 && performance.now() - began < graceMs) {
    await wait(pollMs);
    living = await left(family);
  }
  // A process may fork between being seen and being killed, so more than one round.
  for (let round = 0; living.length > 0 && round < 40; round += 1) {
    if (family.leader !== undefined) signalQuietly(-family.leader, 'SIGKILL');
    for (const pid of living) signalQuietly(pid, 'SIGKILL');
    await wait(pollMs);
    living = await left(family);
  }
}
