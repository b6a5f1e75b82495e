import { dirname } from 'node:path';
import { deleteSlowly, listAside } from '../git/worktrees/set-aside.ts';

export type RemovedFolders = ReturnType<typeof createRemovedFolders>;

/** Deletes the folders of parked worktrees after they were set aside. What a server leaves, the next one deletes. */
export function createRemovedFolders(onError: (error: unknown) => void) {
  const closing = new AbortController();
  let deleting = Promise.resolve();

  const deleteBeside = async (parent: string): Promise<void> => {
    for (const folder of await listAside(parent)) {
      if (closing.signal.aborted) return;
      await deleteSlowly(folder, closing.signal).catch(onError);
    }
  };
  return {
    /** Deletes what is set aside beside these worktrees, in the background. */
    tidy(roots: Iterable<string>): void {
      for (const parent of new Set([...roots].map((root) => dirname(root))))
        deleting = deleting.then(() => deleteBeside(parent)).catch(onError);
    },
    /** Resolves when nothing is left to delete. */
    idle: (): Promise<void> => deleting,
    async close(): Promise<void> {
      closing.abort();
      await deleting;
    },
  };
}
