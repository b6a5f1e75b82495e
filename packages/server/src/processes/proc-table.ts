import { readdir, readFile } from 'node:fs/promises';
import type { Marks, ProcessEntry, ProcessTable } from './process-table.ts';

/** Reads `/proc/<pid>/stat`; null for a process that is dead but not yet reaped. */
export function parseStat(stat: string): ProcessEntry | null {
  // The name is in brackets and may itself contain spaces and brackets.
  const pid = Number.parseInt(stat, 10);
  const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (!Number.isInteger(pid) || state === undefined || state === 'Z' || state === 'X') return null;
  return { pid, parent: Number(parent), group: Number(group) };
}

const readQuietly = (path: string): Promise<string> => readFile(path, 'latin1').catch(() => '');

const carriesMark = async (pid: number, mark: string): Promise<boolean> =>
  (await readQuietly(`/proc/${pid}/environ`)).split('\0').includes(mark);

/** Whether this process, or an ancestor, was started with this value of the limit that marks agents. */
const carriesLimit = async (pid: number, value: string): Promise<boolean> =>
  (await readQuietly(`/proc/${pid}/limits`)).includes(` ${value} `);

/** The process table of Linux. */
export async function readProc(): Promise<ProcessTable> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const entries = await Promise.all(ids.map(async (pid) => parseStat(await readQuietly(`/proc/${pid}/stat`))));
  return {
    entries: entries.filter((entry) => entry !== null),
    mayHideMarks: false,
    isMarked: async (pid: number, { mark, limit = null }: Marks) =>
      (mark !== undefined && (await carriesMark(pid, mark))) || (limit !== null && (await carriesLimit(pid, limit))),
  };
}
