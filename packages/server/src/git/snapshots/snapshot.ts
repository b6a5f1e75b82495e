import { constants } from 'node:fs';
import { access, lstat, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type NotKeptFile, type Result } from '@liminal/contracts';
import { fieldsOf } from '../nul-fields.ts';
import { pathText } from '../path-text.ts';
import { nulList, privateIndexOf, seedPrivateIndex } from './private-index.ts';
import {
  noteFiles,
  readSidecar,
  scanFiles,
  stampOf,
  treeOfManifest,
  withoutFiles,
  writeSidecar,
  type Sidecar,
} from './raw-files.ts';
import type { Repository } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';

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

export type SnapshotLimits = {
  readonly untrackedBytes: number;
  readonly trackedBytes: number;
  readonly totalBytes: number;
};
const megabyte = 1024 * 1024;
export const usualSnapshotLimits: SnapshotLimits = {
  untrackedBytes: 10 * megabyte,
  trackedBytes: 50 * megabyte,
  totalBytes: 200 * megabyte,
};

type Listed = { readonly path: Buffer; readonly isTracked: boolean };

/**
 * Takes snapshots. What differs is listed before anything is added, so that a file that is too large, cannot be read or
 * is a repository of its own is left out by name, and never spoils the rest. To be called once at a time per working tree.
 */
export function createSnapshots(runner: GitRunner, limits: SnapshotLimits = usualSnapshotLimits) {
  /** The person's index as it was when its ignored files were last listed, by private index. */
  const stamps = new Map<string, string>();

  const take = async (repository: Repository, isSparse: boolean): Promise<Result<Snapshot>> => {
    const { root, prefix } = repository;
    const index = privateIndexOf(repository);
    const env = { GIT_INDEX_FILE: index };
    const isFirst = !stamps.has(index);
    // One left by a server that was killed. Only one snapshot is taken at a time.
    if (isFirst) await rm(`${index}.lock`, { force: true });
    // A sparse checkout may have been given other folders meanwhile; only the person's index knows.
    let known: Omit<Sidecar, 'stamp'> | null = isSparse ? null : await readSidecar(repository);
    if (known === null) {
      const seeded = await seedPrivateIndex(runner, repository);
      if (!seeded.ok) return seeded;
      const scanned = await scanFiles(runner, repository);
      if (!scanned.ok) return scanned;
      known = { tree: null, manifest: scanned.value };
    }
    const below = prefix === '' ? [] : ['--', prefix];
    const list = (args: readonly string[], own: boolean): Promise<Result<Buffer>> =>
      expectGit(runner, { cwd: root, args: [...args, '-z', ...below], ...(own && { env }) }).then((ran) =>
        ran.ok ? ok(ran.value.stdout) : ran,
      );
    const [changed, others, ignored] = await Promise.all([
      list(['diff-files', '--name-only', '--ignore-submodules=dirty'], true),
      list(['ls-files', '--others', '--exclude-standard'], true),
      list(['ls-files', '--cached', '--ignored', '--exclude-standard'], true),
    ]);
    if (!changed.ok) return changed;
    if (!others.ok) return others;
    if (!ignored.ok) return ignored;
    const stamp = await stampOf(join(repository.gitDir, 'index'));
    const mayMiss = ignored.value.length > 0 || stamps.get(index) !== stamp;
    const tracked = mayMiss
      ? await list(['ls-files', '--cached', '--ignored', '--exclude-standard'], false)
      : ok(Buffer.of());
    if (!tracked.ok) return tracked;
    stamps.set(index, stamp);

    const untracked = fieldsOf(others.value);
    const isNested = (path: Buffer) => path.at(-1) === 0x2f;
    const nested = untracked.filter(isNested).map((path) => pathText(path.subarray(0, -1)));
    // Ignored files count only where the person tracks them all the same.
    const trackedIgnored = new Set(fieldsOf(tracked.value).map((path) => path.toString('latin1')));
    const nowIgnored = fieldsOf(ignored.value).filter((path) => !trackedIgnored.delete(path.toString('latin1')));
    const missed = [...trackedIgnored].map((path) => Buffer.from(path, 'latin1'));
    const listed: Listed[] = [
      ...[...fieldsOf(changed.value), ...missed].map((path) => ({ path, isTracked: true })),
      ...untracked.filter((path) => !isNested(path)).map((path) => ({ path, isTracked: false })),
    ];
    const sorted = await sortOut(root, listed, limits);
    const gone = [...sorted.gone, ...nowIgnored];
    const written = await write(repository, env, gone, sorted.there);
    if (!written.ok) return written;
    const raw = await noteRaw(repository, known, gone, sorted);
    if (!raw.ok) return raw;
    return ok({ tree: written.value, raw: raw.value, bytes: sorted.bytes, notKept: sorted.notKept, nested });
  };

  /** What the tree cannot say, brought up to date and on disk under the index it belongs to. */
  const noteRaw = async (
    repository: Repository,
    known: Omit<Sidecar, 'stamp'> & { readonly stamp?: string },
    gone: readonly Buffer[],
    { there, modes }: Sorted,
  ): Promise<Result<string | null>> => {
    const isSame = known.stamp === (await stampOf(privateIndexOf(repository)));
    if (isSame) return ok(known.tree);
    const noted = await noteFiles(runner, repository, withoutFiles(known.manifest, gone), there, modes);
    if (!noted.ok) return noted;
    const isKnown = known.stamp !== undefined && JSON.stringify(noted.value) === JSON.stringify(known.manifest);
    const tree = isKnown ? ok(known.tree) : await treeOfManifest(runner, repository, noted.value);
    if (!tree.ok) return tree;
    await writeSidecar(repository, { tree: tree.value, manifest: noted.value });
    return tree;
  };

  const write = async (
    { root }: Repository,
    env: { readonly GIT_INDEX_FILE: string },
    gone: readonly Buffer[],
    there: readonly Buffer[],
  ): Promise<Result<string>> => {
    const update = (args: readonly string[], paths: readonly Buffer[]) =>
      expectGit(runner, {
        cwd: root,
        env,
        writes: true,
        timeoutMs: 300_000,
        args: ['update-index', ...args, '-z', '--stdin'],
        input: nulList(paths),
      });
    // A tree that is written after a failed update would be an old one: no snapshot then.
    if (gone.length > 0) {
      const removed = await update(['--force-remove'], gone);
      if (!removed.ok) return removed;
    }
    if (there.length > 0) {
      const added = await update(['--add', '--remove', '--replace'], there);
      if (!added.ok) return added;
    }
    const tree = await expectGit(runner, { cwd: root, env, writes: true, args: ['write-tree'] });
    return tree.ok ? ok(tree.value.stdout.toString().trim()) : tree;
  };

  return async (repository: Repository, isSparse: boolean): Promise<Result<Snapshot>> => {
    const first = await take(repository, isSparse);
    if (first.ok || first.failure.code === 'GIT_MISSING') return first;
    // A file that vanished or was replaced between listing and adding, or an index that is damaged: once more, from new.
    await rm(privateIndexOf(repository), { force: true });
    stamps.delete(privateIndexOf(repository));
    const second = await take(repository, isSparse);
    if (!second.ok) await rm(privateIndexOf(repository), { force: true });
    return second.ok
      ? second
      : fail(second.failure.code, `The folder could not be recorded. ${second.failure.message}`);
  };
}
export type TakeSnapshot = ReturnType<typeof createSnapshots>;

type Sorted = {
  readonly there: Buffer[];
  readonly gone: Buffer[];
  readonly notKept: NotKeptFile[];
  readonly modes: Map<string, number>;
  bytes: number;
};

async function sortOut(root: string, listed: readonly Listed[], limits: SnapshotLimits): Promise<Sorted> {
  const sorted: Sorted = { there: [], gone: [], notKept: [], modes: new Map(), bytes: 0 };
  const realFolders = new Map<string, Promise<boolean>>();
  const whole = (path: Buffer) => Buffer.concat([Buffer.from(`${root}/`), path]);
  /** A folder that became a link: what lies behind it is not ours. */
  const isInRealFolder = (path: Buffer): Promise<boolean> => {
    const folder = path.subarray(0, Math.max(0, path.lastIndexOf(0x2f)));
    const key = folder.toString('latin1');
    const known = realFolders.get(key);
    if (known) return known;
    const target = folder.length === 0 ? Buffer.from(root) : whole(folder);
    const found = realpath(target, { encoding: 'buffer' }).then(
      (real) => real.equals(target),
      () => false,
    );
    realFolders.set(key, found);
    return found;
  };
  for (const { path, isTracked } of listed) {
    const file = whole(path);
    const found = (await isInRealFolder(path)) ? await lstat(file).catch(() => null) : null;
    if (found === null) sorted.gone.push(path);
    else if (found.isSymbolicLink()) sorted.there.push(path);
    else if (found.isDirectory()) {
      // A submodule, or a file that became a folder.
      if (isTracked && (await exists(Buffer.concat([file, Buffer.from('/.git')])))) sorted.there.push(path);
      else sorted.gone.push(path);
    } else if (!found.isFile()) sorted.notKept.push({ path: pathText(path), reason: 'Not an ordinary file.' });
    else {
      const limit = isTracked ? limits.trackedBytes : limits.untrackedBytes;
      const isReadable = await access(file, constants.R_OK).then(
        () => true,
        () => false,
      );
      if (!isReadable)
        sorted.notKept.push({ path: pathText(path), reason: 'The file cannot be read. Check its permissions.' });
      else if (found.size > limit) sorted.notKept.push({ path: pathText(path), reason: tooLarge(found.size, limit) });
      else if (sorted.bytes + found.size > limits.totalBytes) {
        sorted.notKept.push({
          path: pathText(path),
          reason: `Too much changed at once (over ${sizeText(limits.totalBytes)}).`,
        });
      } else {
        sorted.bytes += found.size;
        sorted.modes.set(pathText(path), found.mode & 0o7777);
        sorted.there.push(path);
      }
    }
  }
  return sorted;
}

const tooLarge = (size: number, limit: number): string =>
  `Too large: ${sizeText(size)}, and ${sizeText(limit)} is the limit.`;
const sizeText = (bytes: number): string =>
  bytes >= 1024 * megabyte ? `${(bytes / 1024 / megabyte).toFixed(1)} GB` : `${Math.ceil(bytes / megabyte)} MB`;

const exists = (path: string | Buffer): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
