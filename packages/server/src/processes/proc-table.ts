import { readdir } from 'node:fs/promises';
import { processStartIn } from '@liminal/domain/time/process-start';
import { inSlices } from './in-slices.ts';
import type { Marks, ProcessEntry, ProcessTable } from './process-table.ts';
import { readProcFile } from './read-proc-file.ts';

/** Reads `/proc/<pid>/stat`; null for a process that is dead but not yet reaped. */
export function parseStat(stat: string): ProcessEntry | null {
  // The name is in parentheses and may itself contain spaces and parentheses.
  const pid = Number.parseInt(stat, 10);
  const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (!Number.isInteger(pid) || state === undefined || state === 'Z' || state === 'X') return null;
  const started = processStartIn(stat);
  return { pid, parent: Number(parent), group: Number(group), ...(started !== null && { started }) };
}

/** An entry of the environment is between two NULs, or at the start. */
function carriesMark(pid: number, mark: string): boolean {
  const environment = readProcFile(`/proc/${pid}/environ`);
  if (environment === null) return false;
  const entry = Buffer.from(`${mark}\0`);
  return environment.subarray(0, entry.length).equals(entry) || environment.includes(`\0${mark}\0`);
}

/** Whether this process, or an ancestor, was started with this value of the limit that marks agents. */
const carriesLimit = (pid: number, value: string): boolean =>
  readProcFile(`/proc/${pid}/limits`)?.includes(` ${value} `) === true;

/** The process table of Linux. Null if it can't be read, as when this server has too many files open. */
export async function readProc(proc = '/proc'): Promise<ProcessTable | null> {
  const ids = (await readdir(proc).catch(() => [])).filter((name) => /^\d+$/.test(name));
  const stats = await inSlices(ids, (pid) => parseStat(readProcFile(`${proc}/${pid}/stat`)?.toString('latin1') ?? ''));
  const entries = stats.filter((entry) => entry !== null);
  // At least this process is alive.
  if (entries.length === 0) return null;
  return {
    entries,
    isMarked: (pid: number, { mark, limit = null }: Marks) =>
      (mark !== undefined && carriesMark(pid, mark)) || (limit !== null && carriesLimit(pid, limit)),
  };
}
