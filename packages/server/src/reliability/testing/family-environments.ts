import { readdirSync, readFileSync } from 'node:fs';

export type ProcessEnvironment = { readonly pid: number; readonly command: string; readonly environment: string };

/** The environments of all descendants of a process, as the system reports them. */
export function familyEnvironments(root: number): ProcessEnvironment[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    const stat = read(name, 'stat');
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
    if (stat !== '') parents.set(Number(name), parent);
  }
  const isBelow = (pid: number): boolean => {
    for (let at = parents.get(pid); at !== undefined && at > 1; at = parents.get(at)) if (at === root) return true;
    return false;
  };
  return [...parents.keys()].filter(isBelow).map((pid) => ({
    pid,
    command: read(String(pid), 'cmdline').replaceAll('\0', ' '),
    environment: read(String(pid), 'environ'),
  }));
}

/** A process may end during the read. */
function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
