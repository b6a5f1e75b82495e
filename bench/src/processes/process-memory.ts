import { readFileSync } from 'node:fs';

export type ProcessMemory = {
  /** Everything resident. */
  readonly rss: number;
  /** Resident, with what is shared counted by its part: the parts of all processes add up to what is in use. */
  readonly share: number;
  /** Resident and shared with nobody: what its end would free. */
  readonly own: number;
};

/** What the system says of a process, in megabytes (Linux). */
export function processMemory(pid: number): ProcessMemory {
  return parseRollup(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
}

/** The process and those it started itself, added up. */
export function familyMemory(pid: number): ProcessMemory {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').map(Number).filter(Boolean);
  return [pid, ...children].map(processMemory).reduce((sum, one) => ({
    rss: sum.rss + one.rss,
    share: sum.share + one.share,
    own: sum.own + one.own,
  }));
}

export function parseRollup(text: string): ProcessMemory {
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? Number.NaN) / 1024;
  return { rss: of('Rss'), share: of('Pss'), own: of('Private_Clean') + of('Private_Dirty') };
}
