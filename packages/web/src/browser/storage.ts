/** A small key-value store that survives a reload if the browser allows it. */
export type Storage = {
  readonly read: (key: string) => string | null;
  readonly write: (key: string, value: string | null) => void;
  /** The keys of all values. */
  readonly keys: () => readonly string[];
};

/**
 * Local storage that never throws. If it is missing, refused or full, values are kept in memory, so the page keeps
 * working and only a reload loses them. Calls `onRefused` once.
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
  const read = (key: string): string | null => {
    const held = memory.get(key);
    if (held !== undefined) return held;
    try {
      return area?.getItem(key) ?? null;
    } catch {
      return null;
    }
  };
  const storedKeys = (): string[] => {
    try {
      return Array.from({ length: area?.length ?? 0 }, (_, index) => area?.key(index) ?? '');
    } catch {
      return [];
    }
  };
  return {
    read,
    keys: () => [...new Set([...storedKeys(), ...memory.keys()])].filter((key) => read(key) !== null),
    write(key, value) {
      try {
        if (area === null) throw new Error('no storage');
        if (value === null) area.removeItem(key);
        else area.setItem(key, value);
        memory.delete(key);
      } catch {
        memory.set(key, value);
        // Reported once. Failing to remove a value that was never stored is harmless.
        if (!isReported && value !== null) onRefused();
        isReported = isReported || value !== null;
      }
    },
  };
}

/** Reads and validates a JSON value; anything unexpected counts as missing. */
export function readJson<T>(storage: Storage, key: string, check: (value: unknown) => T | null): T | null {
  const text = storage.read(key);
  if (text === null) return null;
  try {
    return check(JSON.parse(text));
  } catch {
    return null;
  }
}
