import { readFileSync } from 'node:fs';

export type ProcessMemory = {
  /** All resident memory (RSS). */
  readonly rss: number;
  /**
   * Resident memory with shared pages divided by their users (PSS), so that all processes add up to the memory in use.
   */
  readonly share: number;
  /** Private memory (USS): what its end would free. */
  readonly own: number;
};

/** A process's memory according to the system, in megabytes (Linux). */
export function processMemory(pid: number): ProcessMemory {
  return parseRollup(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
}

/** The total of a process and its direct children. */
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
