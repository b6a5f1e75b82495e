import { readdirSync, readFileSync } from 'node:fs';

/** The processes that this one has started and that still run (Linux). */
export const childrenOf = (pid: number): number[] =>
  namesIn('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);

/** How many folders and files a process watches (Linux). */
export const watchesOf = (pid: number): number =>
  namesIn(`/proc/${pid}/fdinfo`)
    .map((name) => read(`/proc/${pid}/fdinfo/${name}`).match(/^inotify /gm)?.length ?? 0)
    .reduce((sum, count) => sum + count, 0);

const parentOf = (pid: string): number => Number(/\) \S (\d+)/.exec(read(`/proc/${pid}/stat`))?.[1]);

/** Nothing if the process or its file has gone meanwhile. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
