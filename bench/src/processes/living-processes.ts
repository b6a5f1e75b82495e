import { readdirSync, readFileSync } from 'node:fs';

/** Processes that carry `NAME=value` in the environment they were started with (Linux). */
export function processesWith(variable: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    const has = readOptional(`/proc/${name}/environ`).split('\0').includes(variable);
    return has ? [Number(name)] : [];
  });
}

/** Runs; one that ended and waits to be noticed by its parent does not. */
export function isLiving(pid: number): boolean {
  const state = /\) (\S)/.exec(readOptional(`/proc/${pid}/stat`))?.[1];
  return state !== undefined && state !== 'Z' && state !== 'X';
}

/** Empty for what is gone, or is not for us to read. */
function readOptional(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
