import type { FileDiff, UpsertObject } from '@liminal/contracts';
import { lineChange } from '@liminal/domain/timeline/line-change';

/** One file and every change a session made to it, oldest first. */
export type ChangedFile = {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly diffs: readonly FileDiff[];
};

/** What a session really changed, the file touched last first; a call that failed or still runs has changed nothing. */
export function changedFiles(items: Iterable<UpsertObject>): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const item of items) {
    if (item.type !== 'tool_call' || item.status !== 'complete' || item.toolOutputIsError === true) continue;
    for (const diff of item.diffs ?? []) {
      const held = files.get(diff.path) ?? { path: diff.path, added: 0, removed: 0, diffs: [] };
      const { added, removed } = lineChange(diff);
      files.delete(diff.path);
      files.set(diff.path, {
        path: diff.path,
        added: held.added + added,
        removed: held.removed + removed,
        diffs: [...held.diffs, diff],
      });
    }
  }
  return [...files.values()].reverse();
}
