import { readFileSync } from 'node:fs';

export type ProcessMemory = {
  /** Everything resident. */
  readonly rss: number;
  /** Resident and shared with nobody: what its end would free. */
  readonly own: number;
};

/** What the system says of a process, in megabytes (Linux). */
export function processMemory(pid: number): ProcessMemory {
  return parseRollup(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
}

export function parseRollup(text: string): ProcessMemory {
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN) / 1024;
  return { rss: of('Rss'), own: of('Private_Clean') + of('Private_Dirty') };
}
