import { ok, type LineCounts, type Result } from '@liminal/contracts';
import { createEntryReader } from '../changed-entries.ts';
import { treeOf } from '../snapshots/kept-trees.ts';
import type { Repository } from '../repository.ts';
import { expectGit, type GitRunner } from '../run-git.ts';
import type { RestoreTarget } from './restore-plan.ts';

/** Counting lines is expensive, so beyond this many files it is skipped. */
const mostCounted = 2_000;

/** How many lines each file gains and loses when it is restored, by path. Binary files aren't counted. */
export async function countLines(
  { runner, repository }: { readonly runner: GitRunner; readonly repository: Repository },
  targets: readonly RestoreTarget[],
): Promise<Result<ReadonlyMap<string, LineCounts>>> {
  if (targets.length === 0 || targets.length > mostCounted) return ok(new Map());
  const from = await treeOf(runner, repository, new Map(targets.map(({ path, now }) => [path, now])));
  if (!from.ok) return from;
  const to = await treeOf(runner, repository, new Map(targets.map((target) => [target.path, target.to])));
  if (!to.ok) return to;
  const reader = createEntryReader(mostCounted);
  const args = ['diff-tree', '-r', '--raw', '--numstat', '-z', '--no-abbrev', '--no-renames', from.value, to.value];
  const ran = await expectGit(runner, { cwd: repository.root, args, onField: reader.push });
  if (!ran.ok) return ran;
  const counted = reader.entries.flatMap(({ path, additions, deletions }) =>
    additions === undefined || deletions === undefined
      ? []
      : [[path, { added: additions, removed: deletions }] as const],
  );
  return ok(new Map(counted));
}
