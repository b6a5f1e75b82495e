import { readdirSync, readFileSync } from 'node:fs';

type Started = { readonly pid: number; readonly parent: number; readonly ticks: number; readonly command: string };

/** A process from /proc; null if it ended meanwhile. */
function started(pid: number): Started | null {
  try {
    // The program name is in parentheses and may contain anything; the 20th field after it is the start time.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return { pid, parent: Number(fields[1]), ticks: Number(fields[19]), command };
  } catch {
    return null;
  }
}

/** The Claude Code processes below a server, newest first. */
export function agentsBelow(server: number): number[] {
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (started(Number(name)) ?? []) : []));
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === server || isBelow(parent));
  };
  return all
    .filter(({ pid, command }) => command.split('\0')[0]?.endsWith('claude') && isBelow(pid))
    .toSorted((a, b) => b.ticks - a.ticks)
    .map(({ pid }) => pid);
}
