import { useEffect } from 'react';
import type { Worktree } from '@liminal/contracts';
import { useCell, useWorkbench } from '../workbench/use-workbench.ts';

export type ListedWorktrees = {
  /** Null until they have loaded. */
  readonly worktrees: readonly Worktree[] | null;
  /** Why they couldn't be loaded; empty if they could. */
  readonly failure: string;
};

/** The worktrees of a project, kept up to date. */
export function useWorktrees(projectId: string): ListedWorktrees {
  const { worktrees: store } = useWorkbench();
  const { worktrees, listed, failures } = useCell(store.known);
  useEffect(() => store.watch(projectId), [store, projectId]);
  return {
    worktrees: listed.has(projectId) ? [...worktrees.values()].filter((each) => each.projectId === projectId) : null,
    failure: failures.get(projectId)?.message ?? '',
  };
}

/** One worktree, kept up to date; undefined until it has loaded. */
export function useWorktree(worktreeId: string | undefined): Worktree | undefined {
  const { worktrees: store } = useWorkbench();
  const { worktrees } = useCell(store.known);
  useEffect(() => {
    if (worktreeId !== undefined) void store.read(worktreeId);
  }, [store, worktreeId]);
  return worktreeId === undefined ? undefined : worktrees.get(worktreeId);
}

/** The worktree that is being created for a new session, by the id of its start request. */
export function useWorktreeInTheMaking(startedFor: string | undefined): Worktree | undefined {
  const { worktrees: store } = useWorkbench();
  const { worktrees } = useCell(store.known);
  useEffect(() => {
    if (startedFor !== undefined) store.follow();
  }, [store, startedFor]);
  return [...worktrees.values()].findLast(
    (each) => each.startedFor === startedFor && (each.state === 'creating' || each.state === 'setup'),
  );
}
