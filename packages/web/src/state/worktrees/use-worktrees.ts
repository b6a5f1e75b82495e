import { useEffect } from 'react';
import type { Worktree } from '@liminal/contracts';
import { useCell, useWorkbench } from '../workbench/use-workbench.ts';

export type ListedWorktrees = {
  /** Null before they were read. */
  readonly worktrees: readonly Worktree[] | null;
  /** Why they could not be read; empty where they could. */
  readonly failure: string;
};

/** The worktrees of a project, as they change. */
export function useWorktrees(projectId: string): ListedWorktrees {
  const { worktrees: store } = useWorkbench();
  const { worktrees, listed, failures } = useCell(store.known);
  useEffect(() => store.watch(projectId), [store, projectId]);
  return {
    worktrees: listed.has(projectId) ? [...worktrees.values()].filter((each) => each.projectId === projectId) : null,
    failure: failures.get(projectId)?.message ?? '',
  };
}

/** One worktree, as it changes; undefined before it was read. */
export function useWorktree(worktreeId: string | undefined): Worktree | undefined {
  const { worktrees: store } = useWorkbench();
  const { worktrees } = useCell(store.known);
  useEffect(() => {
    if (worktreeId !== undefined) void store.read(worktreeId);
  }, [store, worktreeId]);
  return worktreeId === undefined ? undefined : worktrees.get(worktreeId);
}

/** The worktree that is being made for a session to come, by the id its start was asked for with. */
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
