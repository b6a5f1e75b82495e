import type { FileDiff, UpsertObject } from '@liminal/contracts';
import { lineChange } from '@liminal/domain/diff/line-change';

/** One file and every change a session made to it, oldest first. */
export type ChangedFile = {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  /** What each step changed in it. */
  readonly edits: ReadonlyArray<readonly FileDiff[]>;
};

/** What a session really changed, the file touched last first; a call that failed or still runs has changed nothing. */
export function changedFiles(items: Iterable<UpsertObject>): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const item of items) {
    if (item.type !== 'tool_call' || item.status !== 'complete' || item.toolOutputIsError === true) continue;
    for (const [path, diffs] of Map.groupBy(item.diffs ?? [], (diff) => diff.path)) {
      const held = files.get(path) ?? { path, added: 0, removed: 0, edits: [] };
      const changes = diffs.map(lineChange);
      files.delete(path);
      files.set(path, {
        path,
        added: changes.reduce((sum, change) => sum + change.added, held.added),
        removed: changes.reduce((sum, change) => sum + change.removed, held.removed),
        edits: [...held.edits, diffs],
      });
    }
  }
  return [...files.values()].reverse();
}
