import { lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ok, type Result } from '@liminal/contracts';
import type { HashNow } from '../hash-now.ts';
import { putEntries, writeBlob, type IndexEntry } from '../index-entries.ts';
import { readManifest, type RecordedTree } from './kept-files.ts';
import { fieldsOf } from '../nul-fields.ts';
import { hasEscapes, pathText } from '../path-text.ts';
import { ownFolder, temporaryPath } from '../leftovers.ts';
import { treeOfManifest, type RawManifest } from './raw-files.ts';
import { blobId, type Repository } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';
import { readWorkingFile, type WorkingFile } from '../working-files.ts';

export type Included = { readonly tree: string; readonly raw: string | null };

export type IncludeDeps = {
  readonly runner: GitRunner;
  readonly repository: Repository;
  readonly hashNow: HashNow;
  readonly mostBytes: number;
};

/**
 * A recorded tree with these files as they are now, even if git ignores them, or their size and time hide an edit.
 * Paths are relative to the folder. A path that is missing, too large or not a file stays as it is in the tree.
 */
export async function includeFiles(
  { runner, repository, hashNow, mostBytes }: IncludeDeps,
  recorded: RecordedTree,
  paths: readonly string[],
): Promise<Result<Included>> {
  const { tree, raw = null } = recorded;
  const { root, prefix, folder, gitDir } = repository;
  const names = paths.filter((path) => !hasEscapes(path));
  if (names.length === 0) return ok({ tree, raw });
  const args = ['ls-tree', '-z', '--full-tree', tree, '--', ...names.map((path) => prefix + path)];
  const listed = await expectGit(runner, { cwd: root, args });
  if (!listed.ok) return listed;
  const known = new Map(
    fieldsOf(listed.value.stdout).map((field) => {
      const tab = field.indexOf(9);
      const [mode = '', , id = ''] = field.toString('latin1', 0, tab).split(' ');
      return [pathText(field.subarray(tab + 1)), { mode, id }] as const;
    }),
  );
  const entries = new Map<string, IndexEntry>();
  const files = new Map<string, WorkingFile>();
  for (const path of names) {
    const found = await lstat(join(folder, path)).catch(() => null);
    if (found === null || (!found.isFile() && !found.isSymbolicLink()) || found.size > mostBytes) continue;
    const now = await hashNow(path);
    if (!now.ok || now.value.newId === null) continue;
    const entry = { mode: now.value.newMode, id: now.value.newId };
    const before = known.get(prefix + path);
    if (before?.id === entry.id && before.mode === entry.mode) continue;
    entries.set(prefix + path, entry);
    const file = await readWorkingFile(folder, path);
    if (file.ok && file.value && found.isFile()) files.set(prefix + path, file.value);
  }
  if (entries.size === 0) return ok({ tree, raw });
  const scratch = temporaryPath(gitDir, 'scratch');
  await mkdir(ownFolder(gitDir), { recursive: true });
  const withIndex: GitRunner = (run) => runner({ ...run, env: { ...run.env, GIT_INDEX_FILE: scratch } });
  try {
    const filled = await expectGit(withIndex, { cwd: root, writes: true, args: ['read-tree', tree] });
    if (!filled.ok) return filled;
    const put = await putEntries(withIndex, repository, entries);
    if (!put.ok) return put;
    const written = await expectGit(withIndex, { cwd: root, writes: true, args: ['write-tree'] });
    if (!written.ok) return written;
    const noted = await noteRaw(runner, repository, raw, entries, files);
    return noted.ok ? ok({ tree: written.value.stdout.toString().trim(), raw: noted.value }) : noted;
  } finally {
    await rm(scratch, { force: true });
  }
}

/** The original bytes and permission bits of these files, added to those of the others. */
async function noteRaw(
  runner: GitRunner,
  repository: Repository,
  raw: string | null,
  entries: ReadonlyMap<string, IndexEntry>,
  files: ReadonlyMap<string, WorkingFile>,
): Promise<Result<string | null>> {
  const known = raw === null ? ok(null) : await readManifest(runner, repository, raw);
  if (!known.ok) return known;
  const manifest: RawManifest = known.value ?? { plain: 0o644, executable: 0o755, files: {} };
  const noted = { ...manifest.files };
  for (const [path, { content, mode }] of files) {
    const isStored = blobId(repository.hash, content) === entries.get(path)?.id;
    const own = isStored ? ok(undefined) : await writeBlob(runner, repository, content);
    if (!own.ok) return own;
    noted[path] = { mode: mode & 0o7777, ...(own.value !== undefined && { id: own.value }) };
  }
  return treeOfManifest(runner, repository, { ...manifest, files: noted });
}
