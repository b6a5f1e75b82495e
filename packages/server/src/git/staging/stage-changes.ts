import { fail, ok, type HunkChoice, type Result } from '@liminal/contracts';
import { applyHunks, countHunks, revertHunks } from '@liminal/domain/review/apply-hunks';
import { nulList } from '../snapshots/private-index.ts';
import { putEntries, readBlob, readHead, readIndex, writeBlob, writeIndex, type IndexEntry } from '../index-entries.ts';
import { pathBytes } from '../path-text.ts';
import type { Repository, TreeState } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';
import type { HashNow } from '../hash-now.ts';

export type Choice = { readonly paths: readonly string[]; readonly hunks: readonly HunkChoice[] };

export type StageDeps = {
  readonly runner: GitRunner;
  readonly repository: Repository;
  readonly state: TreeState;
  readonly hashNow: HashNow;
};

export const stale = (path: string) =>
  fail('STALE', `"${path}" has changed since it was shown. Look at it again, then choose.`, { path });

/** Stages files and hunks from the folder. */
export async function stage(deps: StageDeps, { paths, hunks }: Choice): Promise<Result<string[]>> {
  const { runner, repository } = deps;
  const whole = (path: string) => repository.prefix + path;
  const entries = new Map<string, IndexEntry | null>();
  const index = await readIndex(
    runner,
    repository,
    hunks.map(({ path }) => whole(path)),
  );
  if (!index.ok) return index;
  for (const [path, chosen] of byPath(hunks)) {
    const entry = index.value.get(whole(path)) ?? null;
    const now = await deps.hashNow(path);
    if (!now.ok) return now;
    if ((entry?.id ?? null) !== chosen.oldId || now.value.newId !== chosen.newId) return stale(path);
    const mixed = await mix(deps, chosen, 'apply');
    if (!mixed.ok) return mixed;
    const mode = entry?.mode ?? now.value.newMode;
    entries.set(whole(path), mixed.value === null ? null : { mode, id: mixed.value });
  }
  if (paths.length > 0) {
    const args = ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'];
    const input = nulList(paths.map((path) => pathBytes(whole(path))));
    const staged = await writeIndex(runner, { cwd: repository.root, args, input, timeoutMs: 300_000 });
    if (!staged.ok) return staged;
  }
  const put = entries.size > 0 ? await putEntries(runner, repository, entries) : ok(null);
  return put.ok ? ok(allPaths(paths, hunks)) : put;
}

/** Unstages files and hunks, back to the last commit. */
export async function unstage(deps: StageDeps, { paths, hunks }: Choice): Promise<Result<string[]>> {
  const { runner, repository, state } = deps;
  const whole = (path: string) => repository.prefix + path;
  const named = allPaths(paths, hunks).map(whole);
  const head = await readHead(runner, repository, state.head, named);
  if (!head.ok) return head;
  const index = await readIndex(runner, repository, named);
  if (!index.ok) return index;
  const entries = new Map<string, IndexEntry | null>(
    paths.map((path) => [whole(path), head.value.get(whole(path)) ?? null]),
  );
  for (const [path, chosen] of byPath(hunks)) {
    const [before, now] = [head.value.get(whole(path)) ?? null, index.value.get(whole(path)) ?? null];
    if ((before?.id ?? null) !== chosen.oldId || (now?.id ?? null) !== chosen.newId) return stale(path);
    const mixed = await mix(deps, chosen, 'revert');
    if (!mixed.ok) return mixed;
    const mode = (now ?? before)?.mode ?? '100644';
    entries.set(whole(path), mixed.value === null ? null : { mode, id: mixed.value });
  }
  const put = await putEntries(runner, repository, entries);
  return put.ok ? ok(allPaths(paths, hunks)) : put;
}

export type PathHunks = Omit<HunkChoice, 'hunk'> & { readonly hunks: ReadonlySet<number> };

/** The chosen hunks of each file, with the diff options of its first hunk. */
export function byPath(choices: readonly HunkChoice[]): Map<string, PathHunks> {
  const grouped = Map.groupBy(choices, ({ path }) => path);
  const files = new Map<string, PathHunks>();
  for (const [path, [first, ...rest]] of grouped) {
    if (first) files.set(path, { ...first, hunks: new Set([first, ...rest].map(({ hunk }) => hunk)) });
  }
  return files;
}

export const allPaths = (paths: readonly string[], hunks: readonly HunkChoice[]): string[] => [
  ...new Set([...paths, ...hunks.map(({ path }) => path)]),
];

/** Content with the chosen hunks applied, or reverted. Null if that leaves no file. */
export async function mix(
  { runner, repository }: Pick<StageDeps, 'runner' | 'repository'>,
  { path, oldId, newId, context, hunks }: PathHunks,
  how: 'apply' | 'revert',
): Promise<Result<string | null>> {
  const read = async (id: string | null): Promise<Result<string>> => {
    if (id === null) return ok('');
    const blob = await readBlob(runner, repository, id);
    // Byte for byte: text in another encoding must stay intact.
    return blob.ok ? ok(blob.value.toString('latin1')) : blob;
  };
  const [before, after] = [await read(oldId), await read(newId)];
  if (!before.ok) return before;
  if (!after.ok) return after;
  const patch = await patchBetween(runner, repository, oldId, newId, {
    before: before.value,
    after: after.value,
    context,
  });
  if (!patch.ok) return patch;
  const count = countHunks(patch.value);
  if ([...hunks].some((hunk) => hunk >= count)) return stale(path);
  if (hunks.size === count) return ok(how === 'apply' ? newId : oldId);
  const mixed =
    how === 'apply' ? applyHunks(before.value, patch.value, hunks) : revertHunks(after.value, patch.value, hunks);
  return mixed === null ? stale(path) : writeBlob(runner, repository, Buffer.from(mixed, 'latin1'));
}

async function patchBetween(
  runner: GitRunner,
  { root }: Repository,
  oldId: string | null,
  newId: string | null,
  { before, after, context }: { readonly before: string; readonly after: string; readonly context: number },
): Promise<Result<string>> {
  // A new or deleted file is a single hunk.
  if (oldId === null || newId === null) {
    const sign = oldId === null ? '+' : '-';
    const lines = (oldId === null ? after : before).match(/[^\n]*\n|[^\n]+$/g) ?? [];
    return ok(
      `@@ -${oldId === null ? 0 : 1} +${newId === null ? 0 : 1} @@\n${lines.map((line) => sign + line).join('')}`,
    );
  }
  const flags = ['--no-ext-diff', '--no-textconv', '--no-color', '--full-index', `-U${context}`];
  const ran = await expectGit(runner, { cwd: root, args: ['diff', ...flags, oldId, newId, '--'] });
  return ran.ok ? ok(ran.value.stdout.toString('latin1')) : ran;
}
