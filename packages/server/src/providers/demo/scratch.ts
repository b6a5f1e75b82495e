import { spawn } from 'node:child_process';
import { lstatSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';

/** The only project where the demo agent really works. Paths are relative to it. */
export type Scratch = {
  /** The text of a file; null if there is none, or it is outside. */
  read(path: string): string | null;
  write(path: string, text: string): void;
  /** Runs the project's own tests. */
  runTests(signal: AbortSignal): Promise<{ readonly lines: readonly string[]; readonly failed: boolean }>;
};

const slowestMs = 20_000;
const mostOutput = 64 * 1024;

/** The scratch project, if this folder is it or a worktree of its repository; null for every other folder. */
export function openScratch(cwd: string, demoFolder: string | undefined): Scratch | null {
  const root = realPath(cwd);
  const home = demoFolder ? realPath(demoFolder) : null;
  if (root === null || home === null) return null;
  if (root !== home && !isWorktreeOf(root, home)) return null;

  /** The real path of a file; null if a link leads out of the project. */
  function inside(path: string): string | null {
    if (isAbsolute(path) || path.split('/').some((part) => part === '..' || part === '.git')) return null;
    const file = join(root ?? '', path);
    // Also finds a dangling link, which has no real path.
    if (lstatSync(file, { throwIfNoEntry: false })) return realPath(file) === file ? file : null;
    let folder = dirname(file);
    while (realPath(folder) === null) folder = dirname(folder);
    return realPath(folder) === folder && `${folder}${sep}`.startsWith(`${root}${sep}`) ? file : null;
  }

  return {
    read(path) {
      const file = inside(path);
      try {
        return file === null ? null : readFileSync(file, 'utf8');
      } catch {
        return null;
      }
    },
    write(path, text) {
      const file = inside(path);
      if (file === null) throw new Error(`${path} is not in the scratch project.`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
    runTests(signal) {
      const { promise, resolve } = Promise.withResolvers<{ lines: string[]; failed: boolean }>();
      const child = spawn(process.execPath, ['test.js'], {
        cwd: root,
        signal,
        timeout: slowestMs,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      const take = (chunk: Buffer): void => {
        if (output.length < mostOutput) output += chunk.toString('utf8');
      };
      child.stdout.on('data', take);
      child.stderr.on('data', take);
      child.once('error', (error) => resolve({ lines: [error.message], failed: true }));
      child.once('close', (code) => resolve({ lines: output.trimEnd().split('\n'), failed: code !== 0 }));
      return promise;
    },
  };
}

/** Both sides must agree: the folder names its place in the repository, and that place names the folder. */
function isWorktreeOf(root: string, home: string): boolean {
  try {
    const named = /^gitdir: (.+)\n?$/.exec(readFileSync(join(root, '.git'), 'utf8'))?.[1] ?? '';
    const own = join(home, '.git', 'worktrees', basename(named));
    if (realPath(named) !== realPath(own)) return false;
    return realPath(readFileSync(join(own, 'gitdir'), 'utf8').trim()) === join(root, '.git');
  } catch {
    return false;
  }
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
