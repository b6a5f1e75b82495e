/** An observable value; it is replaced, never mutated. */
export type Cell<T> = {
  readonly get: () => T;
  readonly set: (value: T) => void;
  readonly update: (change: (value: T) => T) => void;
  readonly subscribe: (listener: () => void) => () => void;
};

export function createCell<T>(initial: T): Cell<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  const set = (value: T): void => {
    if (Object.is(value, current)) return;
    current = value;
    for (const listener of listeners) listener();
  };
  return {
    get: () => current,
    set,
    update: (change) => set(change(current)),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
