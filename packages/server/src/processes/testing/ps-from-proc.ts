import { readFileSync, readdirSync } from 'node:fs';

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};
const words = (text: string): string => text.split('\0').filter(Boolean).join(' ');

/**
 * Prints what macOS's `ps -A -E -ww -o pid=,ppid=,pgid=,stat=,command=` would, for the processes of this Linux.
 * Programs for which `hides` is true show no environment, like those that macOS protects.
 */
export function psFromProc(hides: (commandLine: string) => boolean = () => false): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const stat = read(`/proc/${pid}/stat`);
      const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (stat === '') return [];
      const commandLine = words(read(`/proc/${pid}/cmdline`));
      const environment = hides(commandLine) ? '' : words(read(`/proc/${pid}/environ`));
      return [
        `${pid.padStart(5)} ${parent?.padStart(5)} ${group?.padStart(5)} ${state}s   ${commandLine} ${environment}`,
      ];
    })
    .join('\n');
}
