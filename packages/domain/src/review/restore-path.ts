/** A file as git stores it. */
export type FileEntry = { readonly mode: string; readonly id: string };

/** A file before and after one turn; null if it didn't exist. */
export type TurnVersions = { readonly before: FileEntry | null; readonly after: FileEntry | null };

/** What happens to a file when turns are rewound. */
export type RestoreStep =
  | { readonly kind: 'done'; readonly to: FileEntry | null }
  /** Others changed it too: merge the reverse of this turn into the current content, then continue with `rest`. */
  | {
      readonly kind: 'merge';
      readonly ours: FileEntry;
      readonly base: FileEntry;
      readonly theirs: FileEntry;
      readonly rest: readonly TurnVersions[];
    }
  /**
   * Its content isn't what this session left, and can't be merged; `to` is the version before the oldest of the turns.
   */
  | { readonly kind: 'conflict'; readonly to: FileEntry | null };

/** Undoes turns in a file, newest first, replacing the version after each turn with the one before it. */
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

/** The mode of a merged file; null unless all three are regular files. */
function mergedMode(ours: FileEntry | null, base: FileEntry | null, theirs: FileEntry | null): string | null {
  if (!isFile(ours) || !isFile(base) || !isFile(theirs)) return null;
  return ours.mode === base.mode ? theirs.mode : ours.mode;
}
