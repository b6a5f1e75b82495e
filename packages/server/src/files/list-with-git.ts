import { execFile } from 'node:child_process';

const timeoutMs = 10_000;
const mostBytes = 64 * 1024 * 1024;

/** Nothing of the repository's own configuration may run a program or fetch anything: looking for a file only looks. */
const harmless = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'core.untrackedCache=false'];
const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z'];

/** The files of a folder as git sees them, ignored ones left out; null where there is no git or no repository. */
export function listWithGit(folder: string): Promise<string[] | null> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1' };
  const options = { cwd: folder, env, timeout: timeoutMs, maxBuffer: mostBytes, killSignal: 'SIGKILL' } as const;
  return new Promise((resolve) => {
    execFile('git', [...harmless, ...list], options, (error, stdout) => {
      resolve(error ? null : stdout.split('\0').filter(isInside));
    });
  });
}

/** Git tells paths below the folder only; this is what we would be sorry for if it ever did not. */
const isInside = (path: string): boolean => path !== '' && !path.startsWith('/') && !path.split('/').includes('..');
