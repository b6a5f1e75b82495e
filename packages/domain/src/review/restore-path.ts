/** A file as git keeps it. */
export type FileEntry = { readonly mode: string; readonly id: string };

/** A file before and after one turn; null where there was none. */
export type TurnVersions = { readonly before: FileEntry | null; readonly after: FileEntry | null };

/** What becomes of a file when turns are taken back. */
export type RestoreStep =
  | { readonly kind: 'done'; readonly to: FileEntry | null }
  /** Others changed it too: what the turn did is to be taken out of what exists, then it continues with `rest`. */
  | {
      readonly kind: 'merge';
      readonly ours: FileEntry;
      readonly base: FileEntry;
      readonly theirs: FileEntry;
      readonly rest: readonly TurnVersions[];
    }
  /** It is not what this session left, and cannot be merged; `to` is what was there before the oldest of the turns. */
  | { readonly kind: 'conflict'; readonly to: FileEntry | null };

/** Takes turns out of a file, newest first: what a turn left becomes what it found. */
export function restorePath(now: FileEntry | null, turns: readonly TurnVersions[]): RestoreStep {
  let current = now;
  for (const [place, { before, after }] of turns.entries()) {
    if (sameEntry(current, after)) current = before;
    else if (!sameEntry(current, before)) {
      const mode = mergedMode(current, after, before);
      if (current === null || after === null || before === null || mode === null) return conflictOf(turns);
      const rest = turns.slice(place + 1);
      return { kind: 'merge', ours: { ...current, mode }, base: after, theirs: before, rest };
    }
  }
  return { kind: 'done', to: current };
}

export const sameEntry = (a: FileEntry | null, b: FileEntry | null): boolean =>
  a === null || b === null ? a === b : a.mode === b.mode && a.id === b.id;

export const conflictOf = (turns: readonly TurnVersions[]): RestoreStep => ({
  kind: 'conflict',
  to: turns.at(-1)?.before ?? null,
});

const isFile = (entry: FileEntry | null): entry is FileEntry => entry !== null && entry.mode.startsWith('100');

/** The mode of a merged file; null where one of the three is no ordinary file. */
function mergedMode(ours: FileEntry | null, base: FileEntry | null, theirs: FileEntry | null): string | null {
  if (!isFile(ours) || !isFile(base) || !isFile(theirs)) return null;
  return ours.mode === base.mode ? theirs.mode : ours.mode;
}
