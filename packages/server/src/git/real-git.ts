import { lstat, readFile, readlink, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail, ok, type Result } from '@liminal/contracts';
import type { ChangedEntry } from './changed-entries.ts';
import { compareTrees } from './compare-trees.ts';
import { filePatch } from './file-patch.ts';
import type { Comparison, Git, ListedEntry, TreeChanges, WorkingTree } from './git.ts';
import { joinPairs, keepTree } from './kept-trees.ts';
import { fieldsOf } from './nul-fields.ts';
import { hasEscapes, pathBytes, pathText } from './path-text.ts';
import { checkVersion, findRepository, readState, type OpenFailure, type Repository } from './repository.ts';
import { createGitRunner, expectGit, type GitRunner } from './run-git.ts';
import { createSnapshots, type SnapshotLimits, usualSnapshotLimits } from './snapshot.ts';
import { createQueues, createSharedReads } from './tree-queue.ts';

export type GitDeps = { readonly runner?: GitRunner; readonly limits?: SnapshotLimits };

const mostKeptLists = 24;
const largestRehash = 50 * 1024 * 1024;

/** The git on the person's machine. */
export function createGit({ runner = createGitRunner(), limits = usualSnapshotLimits }: GitDeps = {}): Git {
  const queues = createQueues();
  const shared = createSharedReads(queues);
  const takeSnapshot = createSnapshots(runner, limits);
  /** The last list of each comparison: a file of it is found again without listing everything. */
  const lists = new Map<string, ReadonlyMap<string, ListedEntry>>();
  let version: Promise<Result<null, OpenFailure>> | null = null;

  const checkedVersion = async (cwd: string): Promise<Result<null, OpenFailure>> => {
    version ??= checkVersion(runner, cwd);
    const checked = await version;
    // It may be installed meanwhile.
    if (!checked.ok) version = null;
    return checked;
  };

  const treeOf = (repository: Repository): WorkingTree => {
    const { root, prefix, gitDir } = repository;
    const key = `${gitDir}\n${prefix}`;
    const snapshotNow = async () => {
      const state = await readState(runner, repository);
      return state.ok ? takeSnapshot(repository, state.value.isSparse) : state;
    };
    const listNow = async (comparison: Comparison): Promise<Result<TreeChanges>> => {
      const state = await readState(runner, repository);
      if (!state.ok) return state;
      const { isSparse } = state.value;
      const snapshot = () => takeSnapshot(repository, isSparse);
      const listed = await compareTrees({ runner, repository, snapshot }, state.value, comparison);
      if (listed.ok) keep(`${key}\n${JSON.stringify(comparison)}`, listed.value.entries);
      return listed;
    };
    const changes = (comparison: Comparison) => shared(key, JSON.stringify(comparison), () => listNow(comparison));
    const find = async (comparison: Comparison, path: string): Promise<Result<ListedEntry>> => {
      const known = lists.get(`${key}\n${JSON.stringify(comparison)}`)?.get(path);
      if (known) return ok(known);
      const listed = await changes(comparison);
      if (!listed.ok) return listed;
      const entry = listed.value.entries.find((each) => each.path === path);
      return entry ? ok(entry) : sameNow(path);
    };
    /** The entry with the file's content of this moment. */
    const refreshed = async (entry: ListedEntry): Promise<Result<ChangedEntry>> => {
      const now = await hashNow(runner, repository, entry.path);
      if (!now.ok) return now;
      return ok(now.value === 'as listed' ? entry : { ...entry, ...now.value });
    };
    return {
      repository,
      state: () => readState(runner, repository),
      changes,
      snapshot: () => shared(key, 'snapshot', snapshotNow),
      async keep(name) {
        const taken = await shared(key, 'kept', async () => {
          const state = await readState(runner, repository);
          if (!state.ok) return state;
          const snapshot = await takeSnapshot(repository, state.value.isSparse);
          return snapshot.ok ? ok({ state: state.value, snapshot: snapshot.value }) : snapshot;
        });
        if (!taken.ok) return taken;
        const ref = await keepTree(runner, repository, name, taken.value.snapshot.tree);
        return ref.ok ? ok({ ...taken.value, ref: ref.value }) : ref;
      },
      join: (pairs) => shared(key, `join ${JSON.stringify(pairs)}`, () => joinPairs(runner, repository, pairs)),
      async patch(comparison, path, options) {
        const found = await find(comparison, path);
        if (!found.ok) return found;
        const isOfNow = comparison.kind !== 'staged' && (comparison.kind !== 'trees' || comparison.to === null);
        const entry = isOfNow ? await refreshed(found.value) : found;
        if (!entry.ok) return entry;
        return differs(entry.value) ? filePatch(runner, root, entry.value, options) : sameNow(path);
      },
    };
  };
  const keep = (key: string, entries: readonly ListedEntry[]): void => {
    lists.delete(key);
    lists.set(key, new Map(entries.map((entry) => [entry.path, entry])));
    if (lists.size > mostKeptLists) lists.delete(lists.keys().next().value ?? '');
  };

  return {
    async open(folder) {
      const checked = await checkedVersion('/');
      if (!checked.ok) return checked;
      const found = await findRepository(runner, folder);
      return found.ok ? ok(treeOf(found.value)) : found;
    },
    async listFiles(folder) {
      const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z'];
      const ran = await runner({ cwd: folder, args, timeoutMs: 10_000 });
      if (!ran.ok || ran.value.code !== 0) return null;
      return fieldsOf(ran.value.stdout).map(pathText).filter(isInside);
    },
  };
}

const sameNow = (path: string) => fail('FILE_NOT_FOUND', `"${path}" does not differ any more.`);

const differs = ({ oldPath, oldId, newId, oldMode, newMode, change }: ChangedEntry): boolean =>
  oldPath !== undefined || oldId !== newId || oldMode !== newMode || change === 'conflicted';

/** Git names paths below the folder only; this is what we would be sorry for if it ever did not. */
const isInside = (path: string): boolean => path !== '' && !path.startsWith('/') && !path.split('/').includes('..');

type Now = Pick<ChangedEntry, 'newId' | 'newMode'>;

/** What a file holds now, stored as git would store it. */
async function hashNow(
  runner: GitRunner,
  { folder, prefix, root }: Repository,
  path: string,
): Promise<Result<Now | 'as listed'>> {
  // A name that is no text cannot be given as an argument; the list that named it is fresh enough.
  if (hasEscapes(path)) return ok('as listed');
  const file = Buffer.concat([Buffer.from(`${folder}/`), pathBytes(path)]);
  const parent = dirname(join(folder, path));
  // Behind a link that replaced a folder lies nothing of ours.
  const isReal = (await realpath(parent).catch(() => null)) === parent;
  const found = isReal ? await lstat(file).catch(() => null) : null;
  if (found === null) return ok({ newId: null, newMode: '000000' });
  if (!found.isSymbolicLink() && (!found.isFile() || found.size > largestRehash)) return ok('as listed');
  const isLink = found.isSymbolicLink();
  const content = await (isLink ? readlink(file, { encoding: 'buffer' }) : readFile(file)).catch(() => null);
  if (content === null) return ok('as listed');
  const how = isLink ? ['--no-filters'] : [`--path=${join(prefix, path)}`];
  const ran = await expectGit(runner, {
    cwd: root,
    writes: true,
    args: ['hash-object', '-w', ...how, '--stdin'],
    input: content,
  });
  if (!ran.ok) return ran;
  const newMode = isLink ? '120000' : (found.mode & 0o100) !== 0 ? '100755' : '100644';
  return ok({ newId: ran.value.stdout.toString().trim(), newMode });
}
