import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ok, type Result } from '@liminal/contracts';
import { writeFailure } from '../full-disk.ts';
import { fieldsOf } from '../nul-fields.ts';
import { pathText } from '../path-text.ts';
import type { Repository } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';

const listName = '.worktreeinclude';
const mostFiles = 20_000;

/** The list in the base commit, because nobody has vouched for the one in the folder. */
async function readList(runner: GitRunner, { root }: Repository, commit: string): Promise<Result<Buffer | null>> {
  const ran = await runner({ cwd: root, args: ['cat-file', 'blob', `${commit}:${listName}`], mostBytes: 1024 * 1024 });
  if (!ran.ok) return ran;
  return ok(ran.value.code === 0 ? ran.value.stdout : null);
}

/** Ignored files that the base's `.worktreeinclude` names, below the root. Names are bytes. */
export async function includedFiles(
  runner: GitRunner,
  repository: Repository,
  commit: string,
): Promise<Result<Buffer[]>> {
  const list = await readList(runner, repository, commit);
  if (!list.ok) return list;
  if (list.value === null) return ok([]);
  const folder = await mkdtemp(join(tmpdir(), 'liminal-include-'));
  try {
    const file = join(folder, 'list');
    await writeFile(file, list.value);
    const listed = async (...args: string[]): Promise<Result<string[]>> => {
      const ran = await expectGit(runner, {
        cwd: repository.root,
        args: ['ls-files', '--others', '--ignored', '-z', ...args],
      });
      return ran.ok ? ok(fieldsOf(ran.value.stdout).map((path) => path.toString('latin1'))) : ran;
    };
    const [all, whole, ignored] = await Promise.all([
      listed(`--exclude-from=${file}`),
      listed(`--exclude-from=${file}`, '--directory'),
      listed('--exclude-standard', '--directory'),
    ]);
    if (!all.ok) return all;
    if (!whole.ok) return whole;
    if (!ignored.ok) return ignored;
    const named = new Set(wholeFolders(whole.value));
    const ignoredFolders = new Set(wholeFolders(ignored.value));
    const ignoredFiles = new Set(ignored.value);
    const kept = all.value.filter((path) => {
      const folders = foldersOf(path);
      const isBelowIgnored = folders.some((each) => ignoredFolders.has(each));
      // A name such as `.env` doesn't match every `.env` in node_modules: the folder itself must be named.
      return isBelowIgnored ? folders.some((each) => named.has(each)) : ignoredFiles.has(path);
    });
    return ok(kept.slice(0, mostFiles).map((path) => Buffer.from(path, 'latin1')));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Folders that are listed as a whole, so nothing below them is listed. */
export function wholeFolders(listed: readonly string[]): string[] {
  const parents = new Set(listed.flatMap((path) => foldersOf(path.endsWith('/') ? path.slice(0, -1) : path)));
  return listed.filter((path) => path.endsWith('/') && !parents.has(path));
}

/** `a/b/c` is in `a/` and `a/b/`. */
const foldersOf = (path: string): string[] => {
  const folders: string[] = [];
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at + 1));
  return folders;
};

/** The file can't be read, has vanished, or the worktree has something else in its place. */
const leftOut = new Set(['EACCES', 'ENOENT', 'EEXIST', 'ENOTDIR']);

/**
 * Copies files between two roots. Doesn't follow or copy links, and replaces nothing. Leaves out a file that can't be
 * read.
 */
export async function copyFiles(
  from: string,
  to: string,
  paths: readonly Buffer[],
  signal?: AbortSignal,
): Promise<Result<number>> {
  let copied = 0;
  for (const path of paths) {
    if (signal?.aborted) break;
    const source = Buffer.concat([Buffer.from(`${from}/`), path]);
    const target = Buffer.concat([Buffer.from(`${to}/`), path]);
    const found = await lstat(source).catch(() => null);
    if (!found?.isFile() || !(await hasRealParent(source))) continue;
    try {
      await mkdir(parentOf(target), { recursive: true });
      if (!(await hasRealParent(target)) || (await lstat(target).catch(() => null)) !== null) continue;
      await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    } catch (error) {
      if (leftOut.has((error as NodeJS.ErrnoException).code ?? '')) continue;
      return writeFailure(pathText(path), error);
    }
    copied += 1;
  }
  return ok(copied);
}

const parentOf = (path: Buffer): Buffer => path.subarray(0, path.lastIndexOf(0x2f));

async function hasRealParent(path: Buffer): Promise<boolean> {
  const parent = parentOf(path);
  return (await realpath(parent, { encoding: 'buffer' }).catch(() => null))?.equals(parent) ?? false;
}

/** Files that make agents run something, and that differ between the base and the folder the user trusts. */
export async function differingConfiguration(
  runner: GitRunner,
  { root, prefix }: Repository,
  commit: string,
): Promise<Result<string[]>> {
  const names = ['.claude', '.codex', '.mcp.json'];
  const paths = [...names, ...(prefix === '' ? [] : names.map((name) => prefix + name))];
  // Files that only the folder has won't be in the worktree, so they don't count.
  const args = ['diff', '--name-only', '-z', '--no-ext-diff', '--no-textconv', '--no-renames', '--diff-filter=MDTU'];
  const ran = await expectGit(runner, { cwd: root, args: [...args, commit, '--', ...paths] });
  return ran.ok ? ok(fieldsOf(ran.value.stdout).map((path) => path.toString('utf8'))) : ran;
}
