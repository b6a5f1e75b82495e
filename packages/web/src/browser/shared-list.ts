import { readJson, type Storage } from './storage.ts';

type SharedListOptions<T> = {
  readonly idOf: (entry: T) => string;
  /** What this tab read from the list when it was opened. */
  readonly known: readonly T[];
  /** Whether an entry that this tab no longer has may be removed for all tabs. */
  readonly mayRemove?: (entry: T) => boolean;
};

/**
 * Writes a list that all tabs of a browser share. Each call takes the entries of this tab, and stores only what changed
 * in them since its last call: a tab doesn't know what others have added or removed meanwhile.
 */
export function createSharedList<T>(
  storage: Storage,
  key: string,
  { idOf, known, mayRemove = () => true }: SharedListOptions<T>,
): (entries: readonly T[]) => void {
  let before = new Map(known.map((entry) => [idOf(entry), JSON.stringify(entry)]));
  return (entries) => {
    const changed = new Map(
      entries.filter((entry) => before.get(idOf(entry)) !== JSON.stringify(entry)).map((entry) => [idOf(entry), entry]),
    );
    const after = new Map(entries.map((entry) => [idOf(entry), JSON.stringify(entry)]));
    const stored = readJson(storage, key, asList<T>) ?? [];
    const isGone = (entry: T): boolean => before.has(idOf(entry)) && !after.has(idOf(entry)) && mayRemove(entry);
    const kept = stored.filter((entry) => !isGone(entry)).map((entry) => changed.get(idOf(entry)) ?? entry);
    const added = [...changed.values()].filter((entry) => !stored.some((other) => idOf(other) === idOf(entry)));
    before = after;
    const next = [...kept, ...added];
    storage.write(key, next.length === 0 ? null : JSON.stringify(next));
  };
}

const asList = <T>(value: unknown): T[] | null =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry !== null) : null;
