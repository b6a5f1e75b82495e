import { fail, ok, type Result } from '@liminal/contracts';
import { isSubmodule, type ChangedEntry } from './changed-entries.ts';
import { commit } from './staging/commit-changes.ts';
import { compareTrees } from './compare-trees.ts';
import { planDiscard, undoDiscard } from './staging/discard-changes.ts';
import { filePatch } from './file-patch.ts';
import type { Comparison, Git, ListedEntry, TakenSnapshot, TreeChanges, WorkingTree } from './git.ts';
import { createHashNow } from './hash-now.ts';
import { includeFiles } from './snapshots/include-files.ts';
import { readKept } from './snapshots/kept-files.ts';
import { dropObjects, forgetTrees, joinPairs, keepTree } from './snapshots/kept-trees.ts';
import { removeLeftovers } from './leftovers.ts';
import { hasEscapes, pathBytes, pathTexts } from './path-text.ts';
import { nulList } from './snapshots/private-index.ts';
import { createRepositoryFinder } from './opening/repository-finder.ts';
import { checkVersion, readState, type OpenFailure, type Repository } from './repository.ts';
import { createGitRunner, type GitRunner } from './run-git.ts';
import { hasGit, openShadow, type ShadowOptions } from './snapshots/shadow-repository.ts';
import { writing } from './full-disk.ts';
import { countLines } from './restore/count-lines.ts';
import { applyRestore, prepareRestore } from './restore/restore-files.ts';
import { planRestore } from './restore/restore-plan.ts';
import { createSnapshots } from './snapshots/snapshot.ts';
import { type SnapshotLimits, usualSnapshotLimits } from './snapshots/sort-files.ts';
import { stage, unstage, type StageDeps } from './staging/stage-changes.ts';
import { createQueues, createSharedReads } from './tree-queue.ts';
import { createTreeWatches } from './watch/tree-watch.ts';
import { createRepositoryWorktrees } from './worktrees/repository-worktrees.ts';

export type GitDeps = {
  readonly runner?: GitRunner;
  readonly limits?: SnapshotLimits;
  /** Our own repositories for folders without git. None unless given. */
  readonly shadow?: ShadowOptions;
  /** Beyond this many folders, only git's own files are watched. */
  readonly mostWatchedFolders?: number;
};

const mostKeptLists = 24;
const largestRehash = 50 * 1024 * 1024;

/** The git on the user's machine. */
export function createGit(deps: GitDeps = {}): Git {
  const { runner: plainRunner = createGitRunner(), limits = usualSnapshotLimits } = deps;
  const queues = createQueues();
  const shared = createSharedReads(queues);
  const findRepository = createRepositoryFinder(plainRunner);
  const takePlain = createSnapshots(plainRunner, limits);
  /** The snapshot functions of our own repositories, by git directory. */
  const takeShadow = new Map<string, ReturnType<typeof createSnapshots>>();
  /** The last list of each comparison, so one of its files is found without listing everything again. */
  const lists = new Map<string, ReadonlyMap<string, ListedEntry>>();
  const readTimes = new Map<string, number>();
  const tidying = new Map<string, Promise<void>>();
  const listFiles = (folder: string) => listWithGit(plainRunner, folder);
  const watches = createTreeWatches({
    listFiles,
    withoutIgnored: (folder, folders) => withoutIgnored(plainRunner, folder, folders),
    lastReadMs: ({ gitDir, prefix }) => readTimes.get(`${gitDir}\n${prefix}`) ?? 0,
    ...(deps.mostWatchedFolders !== undefined && { mostFolders: deps.mostWatchedFolders }),
  });
  let version: Promise<Result<null, OpenFailure>> | null = null;

  const checkedVersion = async (cwd: string): Promise<Result<null, OpenFailure>> => {
    version ??= checkVersion(plainRunner, cwd);
    const checked = await version;
    // Git may have been installed meanwhile.
    if (!checked.ok) version = null;
    return checked;
  };

  /** Removes what an earlier server left behind, once per repository. */
  const tidied = ({ gitDir }: Repository): Promise<void> => {
    const known = tidying.get(gitDir) ?? removeLeftovers(gitDir);
    tidying.set(gitDir, known);
    return known;
  };

  const treeOf = (repository: Repository, runner: GitRunner = plainRunner): WorkingTree => {
    const { root, prefix, gitDir } = repository;
    const takeSnapshot =
      runner === plainRunner ? takePlain : (takeShadow.get(gitDir) ?? createSnapshots(runner, limits));
    if (runner !== plainRunner) takeShadow.set(gitDir, takeSnapshot);
    const key = `${gitDir}\n${prefix}`;
    const snapshotNow = async () => {
      const state = await readState(runner, repository);
      return state.ok ? takeSnapshot(repository, state.value.isSparse) : state;
    };
    const listNow = async (comparison: Comparison): Promise<Result<TreeChanges>> => {
      const begunAt = performance.now();
      const state = await readState(runner, repository);
      if (!state.ok) return state;
      const { isSparse } = state.value;
      const snapshot = () => takeSnapshot(repository, isSparse);
      const listed = await compareTrees({ runner, repository, snapshot }, state.value, comparison);
      readTimes.set(key, performance.now() - begunAt);
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
    const take = () =>
      shared(key, 'kept', async (): Promise<Result<TakenSnapshot>> => {
        const state = await readState(runner, repository);
        if (!state.ok) return state;
        const snapshot = await takeSnapshot(repository, state.value.isSparse);
        return snapshot.ok ? ok({ state: state.value, snapshot: snapshot.value }) : snapshot;
      });
    const hashNow = createHashNow(runner, repository);
    /** The entry with the file's current content. Large files, submodules and non-UTF-8 names stay as listed. */
    const refreshed = async (entry: ListedEntry): Promise<Result<ChangedEntry>> => {
      if (entry.size > largestRehash || isSubmodule(entry.newMode) || hasEscapes(entry.path)) return ok(entry);
      const now = await hashNow(entry.path);
      return ok(now.ok ? { ...entry, ...now.value } : entry);
    };
    const write = <T>(task: (deps: StageDeps) => Promise<Result<T>>): Promise<Result<T>> =>
      queues.run(`write ${repository.commonDir}`, async () => {
        const state = await readState(runner, repository);
        return state.ok ? writing(() => task({ runner, repository, state: state.value, hashNow })) : state;
      });
    return {
      repository,
      state: () => readState(runner, repository),
      changes,
      snapshot: () => shared(key, 'snapshot', snapshotNow),
      take,
      async keep(name, earlier) {
        const taken = earlier ? ok(earlier) : await take();
        if (!taken.ok) return taken;
        const { tree, raw } = taken.value.snapshot;
        const ref = await keepTree(runner, repository, name, tree, raw);
        return ref.ok ? ok({ ...taken.value, ref: ref.value }) : ref;
      },
      forget: (refs) =>
        queues.run(`write ${repository.commonDir}`, async () => {
          const gone = await forgetTrees(runner, repository, refs);
          if (gone.ok && runner !== plainRunner) await dropObjects(runner, repository);
          return gone;
        }),
      include: (recorded, paths, which) =>
        queues.run(key, async () => {
          const open = which === 'all' ? [] : await withoutIgnored(runner, repository.folder, paths);
          const chosen = paths.filter((path) => !open.includes(path));
          const deps = { runner, repository, hashNow, mostBytes: limits.trackedBytes };
          return includeFiles(deps, recorded, chosen);
        }),
      readKept: (recorded, path) => readKept(runner, repository, recorded, prefix + path),
      watch: (onChanged) => watches(repository, onChanged),
      join: (pairs) => shared(key, `join ${JSON.stringify(pairs)}`, () => joinPairs(runner, repository, pairs)),
      stage: (choice) => write((deps) => stage(deps, choice)),
      unstage: (choice) => write((deps) => unstage(deps, choice)),
      discard: (choice, scope, name, confirm) =>
        write(async (deps) => {
          if (deps.state.operation !== null) return underWay(deps.state.operation, 'discard anything');
          const plan = await planDiscard(deps, choice, scope, name);
          if (!plan.ok) return plan;
          await confirm(plan.value);
          return plan.value.perform();
        }),
      planRestore: (turns, named) =>
        shared(key, `restore ${JSON.stringify([turns, [...named]])}`, async () => {
          const state = await readState(runner, repository);
          if (!state.ok) return state;
          if (state.value.operation !== null) return underWay(state.value.operation, 'rewind');
          const snapshot = await takeSnapshot(repository, state.value.isSparse);
          if (!snapshot.ok) return snapshot;
          const targets = await planRestore({ runner, repository, hashNow }, snapshot.value, turns, named);
          const { notKept } = snapshot.value;
          return targets.ok ? ok({ state: state.value, targets: targets.value, notKept }) : targets;
        }),
      countLines: (targets) => countLines({ runner, repository }, targets),
      prepareRestore: (targets, name) =>
        write(async (deps) =>
          deps.state.operation === null
            ? prepareRestore(deps, targets, name)
            : underWay(deps.state.operation, 'rewind'),
        ),
      applyRestore: (files, direction) => write((deps) => applyRestore(deps, files, direction)),
      undoDiscard: (kept) => write((deps) => undoDiscard(deps, kept)),
      commit: (body) => write((deps) => commit(deps, body)),
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

  const open: Git['open'] = async (folder) => {
    const checked = await checkedVersion('/');
    if (!checked.ok) return checked;
    const found = await findRepository(folder);
    if (!found.ok) return found;
    await tidied(found.value);
    return ok(treeOf(found.value));
  };

  return {
    open,
    async openRecorded(folder) {
      // A repository that git refuses still counts: don't bypass its settings with one of our own.
      if (!deps.shadow || (await hasGit(folder))) {
        const opened = await open(folder);
        return opened.ok ? ok({ tree: opened.value, isShadow: false }) : opened;
      }
      const checked = await checkedVersion('/');
      if (!checked.ok) return checked;
      const shadow = await openShadow(plainRunner, deps.shadow, folder);
      if (!shadow.ok) return shadow;
      await tidied(shadow.value.repository);
      return ok({ tree: treeOf(shadow.value.repository, shadow.value.runner), isShadow: true });
    },
    listFiles,
    withoutIgnored: (folder, paths) => withoutIgnored(plainRunner, folder, paths),
    async worktrees(folder) {
      const checked = await checkedVersion('/');
      if (!checked.ok) return checked;
      const found = await findRepository(folder);
      return found.ok ? ok(createRepositoryWorktrees(plainRunner, found.value, queues)) : found;
    },
  };
}

async function listWithGit(runner: GitRunner, folder: string): Promise<readonly string[] | null> {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z'];
  const ran = await runner({ cwd: folder, args, timeoutMs: 10_000 });
  if (!ran.ok || ran.value.code !== 0) return null;
  return pathTexts(ran.value.stdout).filter(isInside);
}

/** The paths that git doesn't ignore, or all of them if git can't tell. */
async function withoutIgnored(runner: GitRunner, folder: string, folders: readonly string[]): Promise<string[]> {
  // check-ignore rejects literal pathspecs but reads every path literally, except for a leading `:`.
  const env = { GIT_LITERAL_PATHSPECS: '0' };
  const input = nulList(folders.map((each) => pathBytes(`./${each}`)));
  const ran = await runner({ cwd: folder, env, args: ['check-ignore', '-z', '--stdin'], input });
  const ignored = new Set(ran.ok ? pathTexts(ran.value.stdout) : []);
  return folders.filter((each) => !ignored.has(`./${each}`));
}

const underWay = (operation: string, what: string) =>
  fail('GIT_BUSY', `A ${operation} is in progress. Finish or abort it before you ${what}.`);

const sameNow = (path: string) => fail('FILE_NOT_FOUND', `"${path}" has no changes any more.`);

const differs = ({ oldPath, oldId, newId, oldMode, newMode, change }: ChangedEntry): boolean =>
  oldPath !== undefined || oldId !== newId || oldMode !== newMode || change === 'conflicted';

/** Git lists only paths below the folder. This check is a safeguard. */
const isInside = (path: string): boolean => path !== '' && !/^\/|(?:^|\/)\.\.(?:\/|$)/.test(path);
