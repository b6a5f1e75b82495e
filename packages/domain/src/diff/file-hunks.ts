import type { FileDiff } from '@liminal/contracts';
import { diffLines, type DiffHunk, type DiffLine, type FileChange } from './line-diff.ts';
import { isPlaced } from './place-diffs.ts';

/** The changes of one file, with line numbers if they are known. */
export type FileHunks = FileChange & { readonly hasNumbers: boolean };

/** Groups excerpts by file, in order of arrival; a file that changes again later appears again. */
export function groupByFile(diffs: readonly FileDiff[]): FileDiff[][] {
  const groups: FileDiff[][] = [];
  for (const diff of diffs) {
    const last = groups.at(-1)?.at(-1);
    const follows = last?.path === diff.path && isPlaced(last) && (diff.oldStart ?? 0) > (last.oldStart ?? 0);
    if (follows) groups.at(-1)?.push(diff);
    else groups.push([diff]);
  }
  return groups;
}

/** The hunks of one file. A new file is numbered from line 1, a piece of unknown position not at all. */
export function fileHunks(diffs: readonly FileDiff[]): FileHunks {
  const hunks: DiffHunk[] = [];
  let added = 0;
  let removed = 0;
  let nextOld = 1;
  for (const diff of diffs) {
    const { oldStart = 1, newStart = 1 } = diff;
    const change = diffLines(diff.oldText, diff.newText);
    added += change.added;
    removed += change.removed;
    for (const [index, hunk] of change.hunks.entries()) {
      const gap = index === 0 ? Math.max(0, oldStart - nextOld) : 0;
      const lines = hunk.lines.map((line) => shifted(line, oldStart - 1, newStart - 1));
      hunks.push({ lines, skippedBefore: hunk.skippedBefore + gap });
      nextOld = (lines.findLast(({ oldLine }) => oldLine !== undefined)?.oldLine ?? nextOld - 1) + 1;
    }
  }
  return { hunks, added, removed, hasNumbers: diffs.every((diff) => diff.oldText === null || isPlaced(diff)) };
}

const shifted = (line: DiffLine, old: number, by: number): DiffLine => ({
  ...line,
  ...(line.oldLine !== undefined && { oldLine: line.oldLine + old }),
  ...(line.newLine !== undefined && { newLine: line.newLine + by }),
});
