/** Runs a task soon, once; gives a way to take it back. */
export type Schedule = (task: () => void) => void;

/** Tells listeners, by key, that something they read has changed. */
export type Emitter<Key> = {
  readonly subscribe: (key: Key, listener: () => void) => () => void;
  /** Notes a change; the listeners of all noted keys hear of it together, once, at the next frame. */
  readonly mark: (key: Key) => void;
  /** Tells at once what was noted. */
  readonly flush: () => void;
};

/** Many changes between two frames reach a listener as one: a token never costs more than its own row, once a frame. */
export function createEmitter<Key>(schedule: Schedule): Emitter<Key> {
  const listeners = new Map<Key, Set<() => void>>();
  let marked = new Set<Key>();
  let scheduled = false;

  const flush = (): void => {
    scheduled = false;
    const keys = marked;
    marked = new Set();
    for (const key of keys) {
      for (const listener of listeners.get(key) ?? []) listener();
    }
  };

  return {
    flush,
    mark(key) {
      // Nobody reads it: whoever subscribes later reads the newest state anyway.
      if (!listeners.has(key)) return;
      marked.add(key);
      if (scheduled) return;
      scheduled = true;
      schedule(flush);
    },
    subscribe(key, listener) {
      const held = listeners.get(key) ?? new Set();
      listeners.set(key, held.add(listener));
      return () => {
        held.delete(listener);
        if (held.size === 0 && listeners.get(key) === held) listeners.delete(key);
      };
    },
  };
}
