import childProcess, { type ChildProcess } from 'node:child_process';
import { writeSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/** Calls that change files. Each is a step. A git command has three: before it, started, and after its input. */
const changing = [
  'mkdir',
  'writeFile',
  'rename',
  'rm',
  'rmdir',
  'copyFile',
  'utimes',
  'symlink',
  'link',
  'unlink',
  'open',
] as const;

/**
 * Kills this process with SIGKILL at its nth step. Prints every git process it starts, because they may outlive it.
 * `withGit` also kills the running git, some time into its work. Other kinds of steps count by calling `pass`.
 */
export function killAtStep(
  step: number,
  withGit: { readonly afterMs: number } | null,
): { count(): number; pass(): void } {
  let count = 0;
  const isDue = (): boolean => {
    count += 1;
    return count === step;
  };
  const die = (): void => void process.kill(process.pid, 'SIGKILL');
  const named = files as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const name of changing) {
    const real = named[name]?.bind(files);
    named[name] = (...args) => {
      if (isDue()) die();
      return real?.(...args);
    };
  }
  const spawn = childProcess.spawn as (...args: unknown[]) => ChildProcess;
  const spawnAndDie = (...args: unknown[]): ChildProcess => {
    if (isDue()) die();
    const child = spawn(...args);
    writeSync(1, `git ${child.pid ?? 0}\n`);
    if (isDue()) die();
    if (isDue()) {
      const end = (): void => {
        try {
          if (withGit && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        } finally {
          // Git may already have ended.
          die();
        }
      };
      // First let the caller pass its input.
      if (withGit) setTimeout(end, withGit.afterMs);
      else setImmediate(end);
    }
    return child;
  };
  Object.assign(childProcess, { spawn: spawnAndDie });
  syncBuiltinESMExports();
  return {
    count: () => count,
    pass() {
      if (isDue()) die();
    },
  };
}
