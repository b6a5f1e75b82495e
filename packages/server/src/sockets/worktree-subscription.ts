import type { ServerMessage, Worktree } from '@liminal/contracts';
import type { CompareService } from '../compare/compare-service.ts';
import type { FrameSource } from '../delivery/pump.ts';
import type { WorktreeService } from '../worktrees/worktree-service.ts';

export type WorktreeSubscriptionDeps = {
  readonly worktrees: Pick<WorktreeService, 'follow'>;
  readonly compares: Pick<CompareService, 'follow'>;
  /** Called when something can be taken, to wake the pump. */
  readonly wake: () => void;
};

/**
 * One reader of all worktrees and comparisons. Only the newest state of each waits: the output of a setup command is
 * sent several times a second, and would pile up for a slow reader.
 */
export function createWorktreeSubscription({ worktrees, compares, wake }: WorktreeSubscriptionDeps): FrameSource {
  /** Null for a removed worktree. */
  const waiting = new Map<string, Worktree | null>();
  const compared = new Set<string>();
  const unfollow = [
    worktrees.follow((change) => {
      for (const worktree of change.worktrees) waiting.set(worktree.worktreeId, worktree);
      for (const worktreeId of change.removed) waiting.set(worktreeId, null);
      wake();
    }),
    compares.follow((compareId) => {
      compared.add(compareId);
      wake();
    }),
  ];

  const takeMessages = (): ServerMessage[] => {
    const changed = [...waiting.values()].flatMap((worktree) => worktree ?? []);
    const removed = [...waiting].flatMap(([worktreeId, worktree]) => (worktree === null ? [worktreeId] : []));
    const compareIds = [...compared];
    waiting.clear();
    compared.clear();
    return [
      ...(changed.length + removed.length === 0
        ? []
        : [{ type: 'worktree:changed' as const, worktrees: changed, ...(removed.length > 0 && { removed }) }]),
      ...compareIds.map((compareId) => ({ type: 'compare:changed' as const, compareId })),
    ];
  };

  return {
    take: () => takeMessages().map((message) => JSON.stringify(message)),
    get ready() {
      return waiting.size + compared.size > 0;
    },
    holding: false,
    flushHeld: () => {},
    stop: () => unfollow.forEach((stop) => stop()),
  };
}
