import { readdir, readFile } from 'node:fs/promises';

/** One line of the system's process table. */
export type ProcessEntry = { readonly pid: number; readonly parent: number; readonly group: number };

/** Reads `/proc/<pid>/stat`; null for a process that is dead but not yet reaped. */
export function parseStat(stat: string): ProcessEntry | null {
  // The name stands in brackets and may itself hold spaces and brackets.
  const pid = Number.parseInt(stat, 10);
  const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (!Number.isInteger(pid) || state === undefined || state === 'Z' || state === 'X') return null;
  return { pid, parent: Number(parent), group: Number(group) };
}

async function processIds(): Promise<string[]> {
  try {
    return (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  } catch {
    return []; // Not Linux: only process groups can be reached.
  }
}

const readQuietly = (path: string): Promise<string> => readFile(path, 'latin1').catch(() => '');

/** Every living process; empty on systems without `/proc`. */
export async function readProcessTable(): Promise<ProcessEntry[]> {
  const entries = await Promise.all(
    (await processIds()).map(async (pid) => parseStat(await readQuietly(`/proc/${pid}/stat`))),
  );
  return entries.filter((entry) => entry !== null);
}

/** Does the environment this process was started with have `NAME=value`? */
export async function carriesMark(pid: number, mark: string): Promise<boolean> {
  return (await readQuietly(`/proc/${pid}/environ`)).split('\0').includes(mark);
}

/** Was this process, or the one it descends from, started with this value of the limit that marks agents? */
export async function carriesLimit(pid: number, value: string): Promise<boolean> {
  return (await readQuietly(`/proc/${pid}/limits`)).includes(` ${value} `);
}
