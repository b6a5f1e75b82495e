import { readFileSync } from 'node:fs';

/** Ticks of all processors since the machine started: those stolen by other machines on the same host, and all. */
export type Ticks = { readonly stolen: number; readonly all: number };

const stolenAt = 7;
/** Guest time is already included in the first two. */
const columns = 8;

/** `null` if the system doesn't count them. */
export function ticksIn(stat: string): Ticks | null {
  const line = stat.split('\n').find((each) => each.startsWith('cpu '));
  const ticks = line
    ?.trim()
    .split(/\s+/)
    .slice(1, columns + 1)
    .map(Number);
  if (ticks?.length !== columns || ticks.some(Number.isNaN)) return null;
  return { stolen: ticks[stolenAt] ?? 0, all: ticks.reduce((sum, each) => sum + each, 0) };
}

export function readTicks(): Ticks | null {
  try {
    return ticksIn(readFileSync('/proc/stat', 'utf8'));
  } catch {
    return null;
  }
}

/** The share of this machine's time that others took. */
export const stolenShare = (before: Ticks | null, after: Ticks | null): number | null =>
  before && after && after.all > before.all ? (after.stolen - before.stolen) / (after.all - before.all) : null;
