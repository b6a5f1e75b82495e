import { readdirSync, readFileSync } from 'node:fs';

/** Processes that were started with `NAME=value` in their environment (Linux). */
export function processesWith(variable: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const has = readOptional(`/proc/${name}/environ`).split('\0').includes(variable);
    return has ? [Number(name)] : [];
  });
}

/** Whether a process runs; zombies don't. */
export function isLiving(pid: number): boolean {
  const state = /\) (\S)/.exec(readOptional(`/proc/${pid}/stat`))?.[1];
  return state !== undefined && state !== 'Z' && state !== 'X';
}

/** Empty for a process that is gone, or that we may not read. */
function readOptional(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
