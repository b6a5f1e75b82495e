import { createHash } from 'node:crypto';
import { mkdir, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';
import type { OpenFailure, Repository } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';

export type ShadowOptions = {
  /** Where our own repositories are stored, never in the folder itself. */
  readonly folder: string;
  /** The largest folder that gets one, or 0 for none. */
  readonly megabytes: () => number;
};

const mostFiles = 20_000;
/** Generated files that can be recreated. */
const left = ['node_modules', '.venv', 'venv', '__pycache__', 'target', 'dist', 'build', '.next', '.cache', '.gradle'];

/**
 * Our own repository for a folder without git. It is used only for checkpoints and leaves no trace in the folder. Every
 * git command gets its path.
 */
export async function openShadow(
  runner: GitRunner,
  { folder: home, megabytes }: ShadowOptions,
  dir: string,
): Promise<Result<{ readonly repository: Repository; readonly runner: GitRunner }, OpenFailure>> {
  const folder = await realpath(dir).catch(() => null);
  if (folder === null) return fail('NOT_A_REPOSITORY', `The folder ${dir} is gone.`);
  const gitDir = join(home, createHash('sha256').update(folder).digest('hex').slice(0, 24));
  const env = { GIT_DIR: gitDir, GIT_WORK_TREE: folder };
  const shadowed: GitRunner = (run) => runner({ ...run, env: { ...run.env, ...env } });
  if (!(await isThere(gitDir))) {
    // Sessions that start at the same time share one attempt. The data directory's lock keeps other servers out.
    const started =
      making.get(gitDir) ?? make(runner, folder, gitDir, megabytes()).finally(() => making.delete(gitDir));
    making.set(gitDir, started);
    const made = await started;
    if (!made.ok) return made;
  }
  const repository = { folder, root: folder, prefix: '', gitDir, commonDir: gitDir, hash: 'sha1' as const };
  return ok({ repository, runner: shadowed });
}

type Made = Result<null, OpenFailure>;
const making = new Map<string, Promise<Made>>();

/** Created completely or not at all: one that a killed server left incomplete is created again. */
async function make(runner: GitRunner, folder: string, gitDir: string, megabytes: number): Promise<Made> {
  // Another attempt may just have finished.
  if (await isThere(gitDir)) return ok(null);
  const refused = await refusal(folder, megabytes);
  if (refused !== null) return fail('NOT_A_REPOSITORY', refused);
  const unfinished = `${gitDir}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(dirname(gitDir), { recursive: true, mode: 0o700 });
  const args = ['init', '--quiet', '--bare', '--template=', '--object-format=sha1', unfinished];
  const made = await expectGit(runner, { cwd: dirname(gitDir), args });
  if (!made.ok) return made;
  const bare = { cwd: dirname(gitDir), args: ['--git-dir', unfinished, 'config', 'core.bare', 'false'] };
  const set = await expectGit(runner, bare);
  if (!set.ok) return set;
  await mkdir(join(unfinished, 'info'), { recursive: true });
  await writeFile(join(unfinished, 'info', 'exclude'), left.map((name) => `${name}/\n`).join(''));
  await rename(unfinished, gitDir);
  return ok(null);
}

/** Why a folder gets no repository of ours, or null if it may have one. Stops as soon as that is known. */
async function refusal(folder: string, megabytes: number): Promise<string | null> {
  const start = 'This folder has no git repository, so its changes cannot be recorded';
  const advice = 'Run `git init` in it to see every change.';
  if (megabytes === 0) return `${start}. ${advice}`;
  if (folder === '/' || folder === homedir()) return `${start}: it is not a project's folder. ${advice}`;
  let files = 0;
  let bytes = 0;
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(next, entry.name);
      if (entry.isDirectory() && !left.includes(entry.name)) waiting.push(path);
      if (!entry.isFile()) continue;
      files += 1;
      bytes += await stat(path).then(
        ({ size }) => size,
        () => 0,
      );
      if (files > mostFiles || bytes > megabytes * 1024 * 1024)
        return `${start}: it has more than ${mostFiles.toLocaleString('en')} files or ${megabytes} MB. ${advice}`;
    }
  }
  return null;
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Whether the folder or a parent has a `.git`, of any kind. */
export async function hasGit(folder: string): Promise<boolean> {
  for (let at = await realpath(folder).catch(() => folder); ; at = dirname(at)) {
    if (await isThere(join(at, '.git'))) return true;
    if (at === dirname(at)) return false;
  }
}
