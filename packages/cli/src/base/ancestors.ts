import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Reads the parent from /proc/PID/stat, after the closing bracket: the name before it may contain anything. */
const parentIn = (stat: string): number => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);

function parentOf(pid: number): number {
  try {
    return parentIn(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // No /proc, as on macOS.
    return Number(spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || 0);
  }
}

/** The ancestors of this process, nearest first. */
export function ancestors(first = process.ppid, find = parentOf): number[] {
  const found: number[] = [];
  for (let pid = first; pid > 1 && found.length < 100 && !found.includes(pid); pid = find(pid)) found.push(pid);
  return found;
}
