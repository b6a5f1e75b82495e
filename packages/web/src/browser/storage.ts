/** A small store of texts that outlives the page where the browser allows it. */
export type Storage = {
  readonly read: (key: string) => string | null;
  readonly write: (key: string, value: string | null) => void;
};

/**
 * Local storage that never throws: where it is gone, refused or full, what was written is kept in memory, so the page
 * works on and only a reload forgets. `onRefused` learns of it once.
 */
export function safeStorage(open: () => globalThis.Storage, onRefused: () => void = () => {}): Storage {
  const memory = new Map<string, string | null>();
  let isReported = false;
  let area: globalThis.Storage | null = null;
  try {
    area = open();
  } catch {
    area = null;
  }
  return {
    read(key) {
      const held = memory.get(key);
      if (held !== undefined) return held;
      try {
        return area?.getItem(key) ?? null;
      } catch {
        return null;
      }
    },
    write(key, value) {
      try {
        if (area === null) throw new Error('no storage');
        if (value === null) area.removeItem(key);
        else area.setItem(key, value);
        memory.delete(key);
      } catch {
        memory.set(key, value);
        // Once is enough to say so; forgetting what was never kept is no loss.
        if (!isReported && value !== null) onRefused();
        isReported = isReported || value !== null;
      }
    },
  };
}

/** Reads a JSON value with the reader's own check; whatever is not as expected is as good as nothing. */
export function readJson<T>(storage: Storage, key: string, check: (value: unknown) => T | null): T | null {
  const text = storage.read(key);
  if (text === null) return null;
  try {
    return check(JSON.parse(text));
  } catch {
    return null;
  }
}
