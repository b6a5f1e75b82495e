import { fail, ok, type Result } from '@liminal/contracts';
import type { RepositoryWorktrees } from '../git/worktrees/repository-worktrees.ts';
import type { WorktreeRow } from '../store/worktree-rows.ts';
import { isGone } from './list-worktrees.ts';

/** Why a worktree can't be removed without losing something. A failed check refuses too. */
export async function removalRefusal(
  row: WorktreeRow,
  trees: RepositoryWorktrees,
  dropIgnored: boolean,
): Promise<Result<null>> {
  if (row.park) {
    const { dirty, ahead, ignored = true } = row.park;
    if (dirty || ahead > 0)
      return unsaved('It holds parked work. Restore it, and commit or merge what you want to keep.');
    return ignored && !dropIgnored
      ? fail('WORKTREE_DIRTY', 'Ignored files that were parked would be deleted. Confirm, or restore the worktree.', {
          notKept: [],
        })
      : ok(null);
  }
  if (await isGone(row.root)) {
    const ahead = await trees.commitsOnlyOn(row.branch);
    return ahead.ok ? ok(null) : ahead;
  }
  const listed = await trees.list();
  if (!listed.ok) return listed;
  const entry = listed.value.find(({ root }) => root === row.root);
  if (!entry || entry.isMain)
    return unsaved(`${row.root} isn't a worktree of this repository any more. Remove it by hand.`);
  const work = await trees.unsaved(row.root);
  if (!work.ok) return work;
  if (work.value.dirty) return unsaved('It has changes that are not committed. Commit them, or park the worktree.');
  if (work.value.ahead > 0)
    return unsaved(`${commits(work.value.ahead)} not merged anywhere. Merge them, or park the worktree.`);
  const inSubmodule = await trees.submoduleWork(row.root);
  if (!inSubmodule.ok) return inSubmodule;
  if (inSubmodule.value !== null)
    return unsaved(`This worktree can't be removed: ${inSubmodule.value}. Save that elsewhere, then try again.`);
  const ignored = dropIgnored ? ok([]) : await trees.ignored(row.root);
  if (!ignored.ok) return ignored;
  if (ignored.value.length === 0) return ok(null);
  const names = ignored.value.slice(0, 3).map(({ path }) => path);
  return fail('WORKTREE_DIRTY', `Ignored files would be deleted: ${names.join(', ')}. Confirm, or park the worktree.`, {
    notKept: ignored.value,
  });
}

const unsaved = (sentence: string) => fail('WORKTREE_DIRTY', sentence);
const commits = (count: number): string => (count === 1 ? '1 commit is' : `${count} commits are`);
