import { fail, ok, type Result } from '@liminal/contracts';
import { createEntryReader, isSubmodule, type ChangedEntry } from './changed-entries.ts';
import type { Comparison, ListedEntry, TreeChanges } from './git.ts';
import { emptyTree, type Repository, type TreeState } from './repository.ts';
import { expectGit, type GitRunner } from './run-git.ts';
import type { Snapshot } from './snapshots/snapshot.ts';

/** Counting lines is expensive, so beyond this many files it is skipped. */
const mostCounted = 2_000;
const fullIds = ['--raw', '-z', '--no-abbrev', '--no-ext-diff', '--no-textconv', '--no-color'];

export type CompareDeps = {
  readonly runner: GitRunner;
  readonly repository: Repository;
  readonly snapshot: () => Promise<Result<Snapshot>>;
};

type Sides = { readonly entries: ChangedEntry[]; readonly base?: string | null };

/** Lists the differences and how much of each is staged. Paths are relative to the project's folder. */
export async function compareTrees(
  { runner, repository, snapshot }: CompareDeps,
  state: TreeState,
  comparison: Comparison,
): Promise<Result<TreeChanges>> {
  const { root, prefix, hash } = repository;
  const below = prefix === '' ? [] : ['--', prefix];
  const head = state.head === null ? emptyTree(hash) : `${state.head}^{tree}`;
  const needsNow = comparison.kind !== 'trees' || comparison.to === null;
  const taken = needsNow && comparison.kind !== 'staged' ? await snapshot() : null;
  if (taken && !taken.ok) return taken;
  const now = taken?.value.tree ?? null;

  const list = async (args: readonly string[]): Promise<Result<ChangedEntry[]>> => {
    const reader = createEntryReader(mostCounted);
    const ran = await expectGit(runner, { cwd: root, args: [...args, ...below], onField: reader.push });
    return ran.ok ? ok(reader.entries) : ran;
  };
  const betweenTrees = (from: string, to: string) => list(['diff-tree', '-r', ...fullIds, '--numstat', '-M', from, to]);
  const withIndex = (tree: string, how: readonly string[]) =>
    list(['diff-index', '--cached', ...fullIds, ...how, tree]);
  const counted = ['--numstat', '-M'];

  const sides = async (): Promise<Result<Sides>> => {
    switch (comparison.kind) {
      case 'uncommitted':
        return entriesOf(await betweenTrees(head, now ?? head));
      case 'staged':
        return entriesOf(await withIndex(head, counted));
      case 'unstaged':
        return entriesOf(await withIndex(now ?? head, [...counted, '-R']));
      case 'trees':
        return entriesOf(await betweenTrees(comparison.from, comparison.to ?? now ?? head));
      case 'base': {
        const base = await findBase(runner, repository, state, comparison.base);
        if (!base.ok) return base;
        if (base.value === null) return ok({ entries: [], base: null });
        const listed = await betweenTrees(`${base.value.commit}^{tree}`, now ?? head);
        return listed.ok ? ok({ entries: listed.value, base: base.value.name }) : listed;
      }
    }
  };
  const [found, staged] = await Promise.all([sides(), withIndex(head, ['--no-renames'])]);
  if (!found.ok) return found;
  if (!staged.ok) return staged;
  // If nothing is staged, nothing is partly staged, and there are no conflicts.
  const marksUnstaged = now !== null && staged.value.length > 0;
  const unstaged = marksUnstaged ? await withIndex(now, ['--no-renames', '-R']) : ok<ChangedEntry[]>([]);
  if (!unstaged.ok) return unstaged;
  const conflicted = new Set([...staged.value, ...unstaged.value].filter(isConflict).map(({ path }) => path));
  const marks = { staged: pathsOf(staged.value), unstaged: pathsOf(unstaged.value) };
  const entries = await withConflicts(found.value.entries, conflicted, comparison, () =>
    betweenTrees(head, now ?? head),
  );
  if (!entries.ok) return entries;
  const sized = await withSizes(runner, root, entries.value);
  if (!sized.ok) return sized;
  return ok({
    state,
    ...(found.value.base !== undefined && { base: found.value.base }),
    entries: sized.value.map(({ entry, size }) => relativeTo(prefix, entry, size, markOf(entry, marks))),
    notKept: (taken?.value.notKept ?? []).map(({ path, reason }) => ({ path: stripped(prefix, path), reason })),
    nested: (taken?.value.nested ?? []).map((path) => stripped(prefix, path)),
  });
}

const entriesOf = (listed: Result<ChangedEntry[]>): Result<Sides> =>
  listed.ok ? ok({ entries: listed.value }) : listed;
const isConflict = ({ change }: ChangedEntry): boolean => change === 'conflicted';
const pathsOf = (entries: readonly ChangedEntry[]): Set<string> => new Set(entries.map(({ path }) => path));

/** A file in conflict has several versions in the index. It is compared with the last commit and listed once. */
async function withConflicts(
  entries: readonly ChangedEntry[],
  conflicted: ReadonlySet<string>,
  { kind }: Comparison,
  sinceHead: () => Promise<Result<ChangedEntry[]>>,
): Promise<Result<ChangedEntry[]>> {
  if (conflicted.size === 0 || kind === 'trees' || kind === 'base') return ok([...entries]);
  const others = entries.filter(({ path }) => !conflicted.has(path));
  if (kind === 'staged') return ok(others);
  const whole = await sinceHead();
  if (!whole.ok) return whole;
  const shown = whole.value.filter(({ path }) => conflicted.has(path));
  const known = new Set(shown.map(({ path }) => path));
  const unchanged = [...conflicted].filter((path) => !known.has(path));
  return ok([
    ...shown.map((entry) => ({ ...entry, change: 'conflicted' as const })),
    ...unchanged.map((path) => ({ ...noContent, path })),
    ...others,
  ]);
}
const noContent = { change: 'conflicted', oldMode: '', newMode: '', oldId: null, newId: null, binary: false } as const;

type Marks = { readonly staged: ReadonlySet<string>; readonly unstaged: ReadonlySet<string> };
function markOf({ path, oldPath }: ChangedEntry, { staged, unstaged }: Marks): ListedEntry['staged'] {
  if (!staged.has(path) && !(oldPath !== undefined && staged.has(oldPath))) return 'no';
  return unstaged.has(path) ? 'partly' : 'yes';
}

const stripped = (prefix: string, path: string): string => (path.startsWith(prefix) ? path.slice(prefix.length) : path);
const relativeTo = (prefix: string, entry: ChangedEntry, size: number, staged: ListedEntry['staged']): ListedEntry => ({
  ...entry,
  path: stripped(prefix, entry.path),
  ...(entry.oldPath !== undefined && { oldPath: stripped(prefix, entry.oldPath) }),
  size,
  staged,
});

type Sized = { readonly entry: ChangedEntry; readonly size: number };
async function withSizes(runner: GitRunner, cwd: string, entries: readonly ChangedEntry[]): Promise<Result<Sized[]>> {
  const idOf = (entry: ChangedEntry): string | null => {
    const [id, mode] = entry.newId === null ? [entry.oldId, entry.oldMode] : [entry.newId, entry.newMode];
    return isSubmodule(mode) ? null : id;
  };
  const sizes = await sizesOf(runner, cwd, entries.map(idOf));
  if (!sizes.ok) return sizes;
  return ok(entries.map((entry) => ({ entry, size: sizes.value.get(idOf(entry) ?? '') ?? 0 })));
}

/** Sizes by object id, which never change. */
const knownSizes = new Map<string, number>();
const mostKnownSizes = 50_000;

/** The size of each object. A missing one is left out. */
export async function sizesOf(
  runner: GitRunner,
  cwd: string,
  ids: readonly (string | null)[],
): Promise<Result<Map<string, number>>> {
  const asked = [...new Set(ids)].filter((id) => id !== null);
  // Own entries, because the shared ones may be cleared at any time, even while git runs.
  const sizes = new Map(asked.flatMap((id) => [[id, knownSizes.get(id)] as const].filter(isKnown)));
  const wanted = asked.filter((id) => !sizes.has(id));
  if (wanted.length > 0) {
    const args = ['cat-file', '--batch-check=%(objectname) %(objectsize)', '--buffer'];
    const ran = await expectGit(runner, { cwd, args, input: `${wanted.join('\n')}\n` });
    if (!ran.ok) return ran;
    if (knownSizes.size > mostKnownSizes) knownSizes.clear();
    for (const line of ran.value.stdout.toString().split('\n')) {
      const [id = '', size = ''] = line.split(' ');
      if (!/^\d+$/.test(size)) continue;
      knownSizes.set(id, Number(size));
      sizes.set(id, Number(size));
    }
  }
  return ok(sizes);
}
const isKnown = (entry: readonly [string, number | undefined]): entry is readonly [string, number] =>
  entry[1] !== undefined;

type Base = { readonly name: string; readonly commit: string };
const usualBases = [
  'refs/remotes/origin/HEAD',
  'refs/remotes/origin/main',
  'refs/remotes/origin/master',
  'refs/heads/main',
  'refs/heads/master',
];

/** The commit where a branch and its base diverged. Null if there is no such branch. */
export async function findBase(
  runner: GitRunner,
  { root }: Repository,
  { head, branch }: TreeState,
  given: string | undefined,
): Promise<Result<Base | null>> {
  if (head === null) return ok(null);
  const candidates = given === undefined ? usualBases.filter((name) => name !== `refs/heads/${branch}`) : [given];
  for (const name of candidates) {
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`];
    const found = await runner({ cwd: root, args });
    if (!found.ok) return found;
    if (found.value.code !== 0) continue;
    const merged = await runner({ cwd: root, args: ['merge-base', head, found.value.stdout.toString().trim()] });
    if (!merged.ok) return merged;
    if (merged.value.code !== 0) continue;
    return ok({ name: name.replace(/^refs\/(heads|remotes)\//, ''), commit: merged.value.stdout.toString().trim() });
  }
  return given === undefined
    ? ok(null)
    : fail('INVALID_REQUEST', `There is no branch or commit "${given}" to compare with.`);
}
