import type { ProcessCommand } from './process-marker.ts';

/** A shell passes only variables with such names on. */
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Variables that some shell computes, or refuses to set. */
const special = new RegExp(
  '^(E?UID|PPID|GROUPS|IFS|OPT(IND|ERR)|LINENO|S?RANDOM|SECONDS|EPOCH.*|DIRSTACK|FUNCNAME|PIPESTATUS|HISTCMD|SHELLOPTS|BASH.*|_)$',
);
/** Variables that shells set themselves. */
const ofShells = ['PWD', 'OLDPWD', 'SHLVL'];

/**
 * The lines that turn a shell (`waiting-shell.sh`), started with the environment `has`, into a command. Null if a shell
 * can't start the command exactly as given.
 */
export function becoming({ command, args, cwd, env }: ProcessCommand, has: ProcessCommand['env']): string | null {
  const names = [...new Set([...Object.keys(env), ...Object.keys(has), ...ofShells])];
  const changed = names.filter((name) => ofShells.includes(name) || env[name] !== has[name]);
  const lines = [
    `cd ${cwd}`,
    ...changed.map((name) => (env[name] === undefined ? `unset ${name}` : `set ${name}=${env[name]}`)),
    ...[command, ...args].map((word) => `word ${word}`),
    'exec',
  ];
  const canBeSet = (name: string): boolean => variableName.test(name) && !special.test(name);
  const isExact = names.every(canBeSet) && lines.every((line) => !/[\0\n]/.test(line));
  return isExact ? `${lines.join('\n')}\n` : null;
}
