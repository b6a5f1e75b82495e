import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type NotKeptFile, type Result } from '@liminal/contracts';
import { isAttributesFile, mayConvert } from './conversions.ts';
import { nulList, privateIndexOf, seedPrivateIndex } from './private-index.ts';
import {
  idsInIndex,
  noteFiles,
  readSidecar,
  scanFiles,
  stampOf,
  treeOfManifest,
  withoutFiles,
  writeSidecar,
  type RawManifest,
  type Sidecar,
} from './raw-files.ts';
import type { GitWrites } from '../git-environment.ts';
import type { Repository } from '../repository.ts';
import { createSettingsReader } from './repository-settings.ts';
import { expectGit, type GitRunner } from '../run-git.ts';
import { createLister } from './snapshot-lists.ts';
import { sortFiles, usualSnapshotLimits, type Sorted, type SnapshotLimits } from './sort-files.ts';
import { objectsSince, syncObjects } from './sync-objects.ts';

/** A working tree as it was at one moment: tracked and untracked files, without ignored ones. */
export type Snapshot = {
  readonly tree: string;
  /** A tree with what that one cannot say: bytes git would convert, and permission bits. Null where there is nothing. */
  readonly raw: string | null;
  /** How much was added to what is kept, before compression. */
  readonly bytes: number;
  /** Files that are in the folder but not in the tree. */
  readonly notKept: readonly NotKeptFile[];
  /** Repositories inside the folder that are not submodules: what changes in them is not seen. */
  readonly nested: readonly string[];
};

/** What is known of a private index that was not written since. */
type Known = { readonly sidecar: Sidecar; readonly tree: string };
type Raw = { readonly stamp?: string; readonly tree: string | null; readonly manifest: RawManifest };

/**
 * Takes snapshots. What differs is listed before anything is added, so a file that is too large, cannot be read or
 * is a repository of its own is left out by name, and never spoils the rest. To be called once at a time per working tree.
 */
export function createSnapshots(runner: GitRunner, limits: SnapshotLimits = usualSnapshotLimits) {
  const settingsOf = createSettingsReader(runner);
  const lister = createLister(runner, settingsOf);
  /** By private index. */
  const known = new Map<string, Known>();

  const take = async (repository: Repository, isSparse: boolean): Promise<Result<Snapshot>> => {
    const index = privateIndexOf(repository);
    // One left by a server that was killed. Only one snapshot is taken at a time.
    if (!known.has(index)) await rm(`${index}.lock`, { force: true });
    // A sparse checkout may have been given other folders meanwhile; only the user's index knows.
    const raw = isSparse ? await begin(repository) : await resume(repository);
    if (!raw.ok) return raw;
    const differing = await lister.list(repository);
    if (!differing.ok) return differing;
    const { listed, nowIgnored, nested } = differing.value;
    const sorted = await sortFiles(repository.root, listed, limits);
    const gone = [...sorted.gone, ...sorted.covered, ...nowIgnored];
    const earlier = known.get(index);
    const base = earlier && (await isLoose(repository, earlier.tree)) ? earlier.tree : null;
    const writes = base === null || isSparse ? true : 'unsynced';
    const updated = await update(repository, sorted, nowIgnored, writes);
    if (!updated.ok) return updated;
    const isSame = raw.value.stamp !== undefined && raw.value.stamp === (await stampOf(index));
    if (isSame && base !== null && earlier?.sidecar.stamp === raw.value.stamp)
      return ok({ tree: earlier.tree, raw: earlier.sidecar.tree, ...restOf(sorted, nested) });
    // Both only read what was just written.
    const needsIds = sorted.there.length > 0 && (isSparse || (await convertsSome(repository, sorted, gone)));
    const [tree, ids] = await Promise.all([
      expectGit(runner, { ...inIndex(repository), writes, args: ['write-tree'] }),
      needsIds ? idsInIndex(runner, repository, sorted.there) : ok(null),
    ]);
    if (!tree.ok) return tree;
    if (!ids.ok) return ids;
    const id = tree.value.stdout.toString().trim();
    // Before the note that makes the index count: an index that counts names nothing a power cut could take.
    const synced = base === null || isSparse ? ok(null) : await sync(repository, base, id);
    if (!synced.ok) return synced;
    const noted = await noteRaw(repository, raw.value, gone, sorted, ids.value);
    if (!noted.ok) return noted;
    known.set(index, { sidecar: noted.value, tree: id });
    return ok({ tree: id, raw: noted.value.tree, ...restOf(sorted, nested) });
  };

  const sync = async (repository: Repository, earlier: string, tree: string): Promise<Result<null>> => {
    if (tree === earlier) return ok(null);
    const written = await objectsSince(runner, repository, earlier, tree);
    return written.ok ? syncObjects(repository, written.value) : written;
  };

  /** Begins again with the user's index. */
  const begin = async (repository: Repository): Promise<Result<Raw>> => {
    const seeded = await seedPrivateIndex(runner, repository);
    if (!seeded.ok) return seeded;
    lister.forget(repository);
    const scanned = await scanFiles(runner, repository, seeded.value, await settingsOf(repository));
    return scanned.ok ? ok({ tree: null, manifest: scanned.value }) : scanned;
  };
  const resume = async (repository: Repository): Promise<Result<Raw>> => {
    const index = privateIndexOf(repository);
    const remembered = known.get(index)?.sidecar;
    if (remembered !== undefined && remembered.stamp === (await stampOf(index))) return ok(remembered);
    known.delete(index);
    const found = await readSidecar(repository);
    return found === null ? begin(repository) : ok(found);
  };
  const convertsSome = async (repository: Repository, { there }: Sorted, gone: readonly Buffer[]): Promise<boolean> =>
    [...there, ...gone].some(isAttributesFile) || mayConvert(repository, await settingsOf(repository), there);

  /** What the tree cannot say, brought up to date and on disk under the index it belongs to. */
  const noteRaw = async (
    repository: Repository,
    before: Raw,
    gone: readonly Buffer[],
    { there, modes }: Sorted,
    ids: ReadonlyMap<string, string> | null,
  ): Promise<Result<Sidecar>> => {
    const left = withoutFiles(before.manifest, gone);
    const noted = await noteFiles(runner, repository, left, there, modes, ids);
    if (!noted.ok) return noted;
    const isKnown = before.stamp !== undefined && JSON.stringify(noted.value) === JSON.stringify(before.manifest);
    const tree = isKnown ? ok(before.tree) : await treeOfManifest(runner, repository, noted.value);
    if (!tree.ok) return tree;
    return ok(await writeSidecar(repository, { tree: tree.value, manifest: noted.value }));
  };

  /** A tree that is written after a failed update would be an old one: no snapshot then. */
  const update = async (
    repository: Repository,
    { there, gone, covered }: Sorted,
    nowIgnored: readonly Buffer[],
    writes: GitWrites,
  ): Promise<Result<null>> => {
    const run = (args: readonly string[], paths: readonly Buffer[]) =>
      expectGit(runner, {
        ...inIndex(repository),
        writes,
        timeoutMs: 300_000,
        args: ['update-index', ...args, '-z', '--stdin'],
        input: nulList(paths),
      });
    const hidden = [...covered, ...nowIgnored];
    const steps = [
      { args: ['--force-remove'], paths: hidden },
      { args: ['--add', '--remove', '--replace'], paths: [...gone, ...there] },
    ];
    for (const { args, paths } of steps) {
      const ran = paths.length === 0 ? ok(null) : await run(args, paths);
      if (!ran.ok) return ran;
    }
    return ok(null);
  };

  return async (repository: Repository, isSparse: boolean): Promise<Result<Snapshot>> => {
    const first = await take(repository, isSparse);
    if (first.ok || first.failure.code === 'GIT_MISSING') return first;
    // A file that vanished or was replaced between listing and adding, or an index that is damaged: once more, from new.
    await rm(privateIndexOf(repository), { force: true });
    known.delete(privateIndexOf(repository));
    const second = await take(repository, isSparse);
    if (!second.ok) await rm(privateIndexOf(repository), { force: true });
    return second.ok ? second : fail(second.failure.code, `The folder couldn't be recorded. ${second.failure.message}`);
  };
}

const inIndex = (repository: Repository) => ({
  cwd: repository.root,
  env: { GIT_INDEX_FILE: privateIndexOf(repository) },
});

const restOf = ({ bytes, notKept }: Sorted, nested: readonly string[]) => ({ bytes, notKept, nested });

/** Git's clean-up may have taken a tree that nothing kept. One that was packed meanwhile is written again, or found. */
const isLoose = ({ commonDir }: Repository, id: string): Promise<boolean> =>
  lstat(join(commonDir, 'objects', id.slice(0, 2), id.slice(2))).then(
    () => true,
    () => false,
  );
