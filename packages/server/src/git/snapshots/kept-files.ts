import { ok, type Result } from '@liminal/contracts';
import { readBlob } from '../index-entries.ts';
import { hasEscapes } from '../path-text.ts';
import { RawManifest } from './raw-files.ts';
import type { Repository } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';
import type { WorkingFile } from '../working-files.ts';

/** A recorded folder: its tree, and a tree with what git trees can't represent. */
export type RecordedTree = { readonly tree: string; readonly raw?: string | null };

const fileKind = 0o100000;
const linkKind = 0o120000;

/**
 * One file as it was when the folder was recorded: its original bytes and all permission bits. Null if there was none.
 * The path is relative to the root.
 */
export async function readKept(
  runner: GitRunner,
  repository: Repository,
  { tree, raw = null }: RecordedTree,
  path: string,
): Promise<Result<WorkingFile | null>> {
  const { root } = repository;
  const listed = await expectGit(runner, { cwd: root, args: ['ls-tree', '-z', '--full-tree', tree, '--', path] });
  if (!listed.ok) return listed;
  const [head = ''] = listed.value.stdout.toString('latin1').split('\t');
  const [gitMode = '', type = '', id = ''] = head.split(' ');
  if (type !== 'blob') return ok(null);
  if (gitMode === '120000') {
    const target = await readBlob(runner, repository, id);
    return target.ok ? ok({ content: target.value, mode: linkKind | 0o777 }) : target;
  }
  const manifest = raw === null ? ok(null) : await readManifest(runner, repository, raw);
  if (!manifest.ok) return manifest;
  const own = detailsIn(manifest.value, path, gitMode);
  const content =
    own.id !== undefined || hasEscapes(path)
      ? await readBlob(runner, repository, own.id ?? id)
      : await readFiltered(runner, root, path, id);
  return content.ok ? ok({ content: content.value, mode: own.mode }) : content;
}

/** What git doesn't store of a file: its full mode, and the id of its own bytes if git converts them. */
export type KeptDetails = { readonly mode: number; readonly id?: string };

function detailsIn(manifest: RawManifest | null, path: string, gitMode: string): KeptDetails {
  const own = manifest?.files[path];
  const usual = gitMode === '100755' ? (manifest?.executable ?? 0o755) : (manifest?.plain ?? 0o644);
  return { mode: fileKind | (own?.mode ?? usual), ...(own?.id !== undefined && { id: own.id }) };
}

/** Reads these details of recorded files; undefined for links, and if they can't be read. Paths are relative to the root. */
export function createDetailsReader(runner: GitRunner, repository: Repository) {
  const manifests = new Map<string, ReturnType<typeof readManifest>>();
  return async (raw: string | null, path: string, gitMode: string): Promise<KeptDetails | undefined> => {
    if (gitMode === '120000') return undefined;
    if (raw === null) return detailsIn(null, path, gitMode);
    const reading = manifests.get(raw) ?? readManifest(runner, repository, raw);
    manifests.set(raw, reading);
    const manifest = await reading;
    return manifest.ok ? detailsIn(manifest.value, path, gitMode) : undefined;
  };
}

const mostBytes = 256 * 1024 * 1024;

/** The content as git would check it out, with line endings and filters applied. */
async function readFiltered(runner: GitRunner, cwd: string, path: string, id: string): Promise<Result<Buffer>> {
  const ran = await expectGit(runner, { cwd, args: ['cat-file', '--filters', `--path=${path}`, id], mostBytes });
  return ran.ok ? ok(ran.value.stdout) : ran;
}

/** The additional information about a tree's files. Null if it can't be read. */
export async function readManifest(
  runner: GitRunner,
  { root }: Repository,
  raw: string,
): Promise<Result<RawManifest | null>> {
  const ran = await expectGit(runner, { cwd: root, args: ['cat-file', 'blob', `${raw}:manifest`], mostBytes });
  if (!ran.ok) return ran;
  const parsed = RawManifest.safeParse(JSON.parse(ran.value.stdout.toString()));
  return ok(parsed.success ? parsed.data : null);
}
