import type { CommentSide } from '@liminal/contracts';

/** The lines of one side of a patch, by 1-based number. */
export function linesOfSide(patch: string, side: CommentSide): Map<number, string> {
  const shown = new Map<number, string>();
  let next = { old: 0, new: 0 };
  let isInHunk = false;
  for (const line of patch.split('\n')) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (header) {
      next = { old: Number(header[1]), new: Number(header[2]) };
      isInHunk = true;
      continue;
    }
    const sign = line[0];
    if (!isInHunk || (sign !== ' ' && sign !== '+' && sign !== '-')) continue;
    if (sign !== '+') {
      if (side === 'old') shown.set(next.old, line.slice(1));
      next.old += 1;
    }
    if (sign !== '-') {
      if (side === 'new') shown.set(next.new, line.slice(1));
      next.new += 1;
    }
  }
  return shown;
}
