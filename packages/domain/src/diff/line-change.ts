import type { FileDiff } from '@liminal/contracts';

export type LineChange = { readonly added: number; readonly removed: number };

/** Above this many differing lines an exact count takes too long: every line between the common ends counts. */
const maxEdits = 400;

/** How many lines a diff adds and removes, as a user would count them. */
export function lineChange({ oldText, newText }: FileDiff): LineChange {
  const before = linesOf(oldText ?? '');
  const after = linesOf(newText);
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return middleChange(before.slice(start, before.length - end), after.slice(start, after.length - end));
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

function middleChange(before: readonly string[], after: readonly string[]): LineChange {
  const edits = editDistance(before, after) ?? before.length + after.length;
  // Every edit adds or removes one line, so edits and the difference in length give both counts.
  const added = (edits + after.length - before.length) / 2;
  return { added, removed: edits - added };
}

/** The minimal number of added and removed lines (Myers), or undefined if it exceeds `maxEdits`. */
function editDistance(before: readonly string[], after: readonly string[]): number | undefined {
  const furthest = new Map<number, number>([[1, 0]]);
  const reach = (diagonal: number): number => furthest.get(diagonal) ?? -1;
  for (let edits = 0; edits <= maxEdits; edits += 1) {
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = diagonal === -edits || (diagonal !== edits && reach(diagonal - 1) < reach(diagonal + 1));
      let old = down ? reach(diagonal + 1) : reach(diagonal - 1) + 1;
      while (old < before.length && old - diagonal < after.length && before[old] === after[old - diagonal]) old += 1;
      furthest.set(diagonal, old);
      if (old >= before.length && old - diagonal >= after.length) return edits;
    }
  }
  return undefined;
}
