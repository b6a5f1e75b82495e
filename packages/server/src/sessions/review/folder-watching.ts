import type { FolderChanged, Project } from '@liminal/contracts';
import type { Git, WorkingTree } from '../../git/git.ts';
import type { TreeWatch } from '../../git/watch/tree-watch.ts';

export type FolderWatchingDeps = {
  readonly git: Git;
  readonly project: () => Project | null;
  readonly now: () => string;
  readonly publish: (changed: FolderChanged) => void;
  readonly onError: (error: unknown) => void;
  /** How long a message that is typed and never sent keeps the folder watched. */
  readonly typingMs?: number;
};

type Held = { readonly tree: WorkingTree; readonly watch: TreeWatch };
export type FolderWatching = ReturnType<typeof createFolderWatching>;

/**
 * Watches a session's folder while there is a reason: a review is open, a turn runs, or the user is typing. Otherwise
 * nothing is watched and no git process starts.
 */
export function createFolderWatching(deps: FolderWatchingDeps) {
  const { typingMs = 5 * 60_000 } = deps;
  const reasons = new Set<string>();
  let held: Promise<Held | null> | null = null;
  let typing: NodeJS.Timeout | undefined;

  const begin = async (): Promise<Held | null> => {
    const project = deps.project();
    if (!project?.trusted) return null;
    const opened = await deps.git.open(project.dir);
    if (!opened.ok) return null;
    const tree = opened.value;
    const watch = tree.watch(() => {
      // Publishing makes clients list the changes, which starts git: never in a folder that is no longer trusted.
      if (deps.project()?.trusted) deps.publish({ at: deps.now(), watching: watch.coverage() });
      else release();
    });
    await watch.ready;
    return { tree, watch };
  };
  const release = (): void => {
    const ending = held;
    held = null;
    void ending?.then((ended) => ended?.watch.stop());
  };

  return {
    /** Resolves when changes will be noticed from now on. */
    async hold(reason: string): Promise<FolderChanged['watching']> {
      reasons.add(reason);
      if (reason === 'typing') {
        clearTimeout(typing);
        typing = setTimeout(() => this.release('typing'), typingMs).unref();
      }
      held ??= begin().catch((error: unknown) => {
        deps.onError(error);
        return null;
      });
      const holding = held;
      const begun = await holding;
      // Trust may be given, or git installed, later: don't cache that there is nothing to watch.
      if (begun === null && held === holding) held = null;
      return begun?.watch.coverage() ?? 'off';
    },
    release(reason: string): void {
      if (!reasons.delete(reason)) return;
      if (reason === 'typing') clearTimeout(typing);
      if (reasons.size === 0) release();
    },
    /** The watched tree and a mark that stays the same while nothing changes; null when that can't be known. */
    async mark(): Promise<{ readonly tree: WorkingTree; readonly mark: number } | null> {
      const now = await held;
      const mark = (await now?.watch.mark()) ?? null;
      return now && mark !== null ? { tree: now.tree, mark } : null;
    },
    close(): void {
      clearTimeout(typing);
      reasons.clear();
      release();
    },
  };
}
