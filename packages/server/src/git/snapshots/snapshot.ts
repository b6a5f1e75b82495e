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
import { anyLineEndings, type GitWrites } from '../git-environment.ts';
import type { Repository } from '../repository.ts';
import { createSettingsReader } from './repository-settings.ts';
import { expectGit, type GitRunner } from '../run-git.ts';
import { createLister, type Differing } from './snapshot-lists.ts';
import { sortFiles, usualSnapshotLimits, type Sorted, type SnapshotLimits } from './sort-files.ts';
import { objectsSince, syncObjects } from './sync-objects.ts';

/** A working tree at one moment: tracked and untracked files, without ignored ones. */
export type Snapshot = {
  readonly tree: string;
  /**
   * A tree with what the other can't represent: bytes git would convert, and permission bits. Null if there is nothing.
   */
  readonly raw: string | null;
  /** How much this added to the stored data, before compression. */
  readonly bytes: number;
  /** Files in the folder that aren't in the tree. */
  readonly notKept: readonly NotKeptFile[];
  /** Nested repositories that aren't submodules. Changes in them aren't seen. */
  readonly nested: readonly string[];
  /** Differs between two snapshots if files may have been hidden or revealed by other means than rules in the tree. */
  readonly ignoreState: string | null;
};

/** What is known about a private index that hasn't been written since. */
type Known = { readonly sidecar: Sidecar; readonly tree: string };
type Raw = { readonly stamp?: string; readonly tree: string | null; readonly manifest: RawManifest };

/**
 * Takes snapshots. Lists the differences before adding anything, so a file that is too large, unreadable or a nested
 * repository is left out by name and doesn't break the rest. Call it once at a time per working tree.
 */
export function createSnapshots(runner: GitRunner, limits: SnapshotLimits = usualSnapshotLimits) {
  const settingsOf = createSettingsReader(runner);
  const lister = createLister(runner, settingsOf);
  /** By private index. */
  const known = new Map<string, Known>();

  const take = async (repository: Repository, isSparse: boolean): Promise<Result<Snapshot>> => {
    const index = privateIndexOf(repository);
    // A killed server may have left a lock. Nobody holds it: only one snapshot is taken at a time.
    if (!known.has(index)) await rm(`${index}.lock`, { force: true });
    // A sparse checkout may have changed its folders. Only the user's index knows.
    const raw = isSparse ? await begin(repository) : await resume(repository);
    if (!raw.ok) return raw;
    const differing = await lister.list(repository);
    if (!differing.ok) return differing;
    const { listed, nowIgnored } = differing.value;
    const sorted = await sortFiles(repository.root, listed, limits);
    const gone = [...sorted.gone, ...sorted.covered, ...nowIgnored];
    const earlier = known.get(index);
    const base = earlier && (await isLoose(repository, earlier.tree)) ? earlier.tree : null;
    const writes = base === null || isSparse ? true : 'unsynced';
    const updated = await update(repository, sorted, nowIgnored, writes);
    if (!updated.ok) return updated;
    const isSame = raw.value.stamp !== undefined && raw.value.stamp === (await stampOf(index));
    if (isSame && base !== null && earlier?.sidecar.stamp === raw.value.stamp)
      return ok({ tree: earlier.tree, raw: earlier.sidecar.tree, ...restOf(sorted, differing.value) });
    // The two commands only read the index, so they run in parallel.
    const needsIds = sorted.there.length > 0 && (isSparse || (await convertsSome(repository, sorted, gone)));
    const [tree, ids] = await Promise.all([
      expectGit(runner, { ...inIndex(repository), writes, args: ['write-tree'] }),
      needsIds ? idsInIndex(runner, repository, sorted.there) : ok(null),
    ]);
    if (!tree.ok) return tree;
    if (!ids.ok) return ids;
    const id = tree.value.stdout.toString().trim();
    // Synced before the stamp that makes the index valid, so a valid index never names objects lost in a power cut.
    const synced = base === null || isSparse ? ok(null) : await sync(repository, base, id);
    if (!synced.ok) return synced;
    const noted = await noteRaw(repository, raw.value, gone, sorted, ids.value);
    if (!noted.ok) return noted;
    known.set(index, { sidecar: noted.value, tree: id });
    return ok({ tree: id, raw: noted.value.tree, ...restOf(sorted, differing.value) });
  };

  const sync = async (repository: Repository, earlier: string, tree: string): Promise<Result<null>> => {
    if (tree === earlier) return ok(null);
    const written = await objectsSince(runner, repository, earlier, tree);
    return written.ok ? syncObjects(repository, written.value) : written;
  };

  /** Starts again from the user's index. */
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

  /** Updates what the tree can't represent, and writes it to disk with the index it belongs to. */
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

  /** If this fails, there is no snapshot: its tree would be out of date. */
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
    // A file vanished or was replaced between listing and adding, or the index is damaged. Try once more from scratch.
    await rm(privateIndexOf(repository), { force: true });
    known.delete(privateIndexOf(repository));
    const second = await take(repository, isSparse);
    if (!second.ok) await rm(privateIndexOf(repository), { force: true });
    return second.ok ? second : fail(second.failure.code, `The folder couldn't be recorded. ${second.failure.message}`);
  };
}

const inIndex = (repository: Repository) => ({
  cwd: repository.root,
  env: { GIT_INDEX_FILE: privateIndexOf(repository), ...anyLineEndings },
});

const restOf = ({ bytes, notKept }: Sorted, { nested, ignoreState }: Differing) => ({
  bytes,
  notKept,
  nested,
  ignoreState,
});

/** Git's garbage collection may have removed or packed a tree. If it isn't loose, it is written again. */
const isLoose = ({ commonDir }: Repository, id: string): Promise<boolean> =>
  lstat(join(commonDir, 'objects', id.slice(0, 2), id.slice(2))).then(
    () => true,
    () => false,
  );
