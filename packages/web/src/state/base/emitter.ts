/** Runs a task once, in the next frame. */
export type Schedule = (task: () => void) => void;

/** Notifies listeners, by key, that something they read has changed. */
export type Emitter<Key> = {
  readonly subscribe: (key: Key, listener: () => void) => () => void;
  /** Records a change; the listeners of all recorded keys are notified together, once. */
  readonly mark: (key: Key) => void;
};

/**
 * Batches all changes between two frames: a token never costs more than its own row, once per frame. The first change
 * after a quiet frame isn't delayed until the next one: listeners are notified in a microtask, so the frame that shows
 * it only has to lay out and paint.
 */
export function createEmitter<Key>(schedule: Schedule): Emitter<Key> {
  const listeners = new Map<Key, Set<() => void>>();
  let marked = new Set<Key>();
  /** Listeners were notified since the last frame, or are about to be. */
  let isBusy = false;

  const take = (): ReadonlySet<Key> => {
    const keys = marked;
    marked = new Set();
    return keys;
  };
  const notify = (keys: ReadonlySet<Key>): void => {
    for (const key of keys) {
      for (const listener of listeners.get(key) ?? []) listener();
    }
  };
  const frame = (): void => {
    const keys = take();
    isBusy = keys.size > 0;
    if (isBusy) schedule(frame);
    notify(keys);
  };

  return {
    mark(key) {
      // Nobody listens: a later subscriber reads the newest state anyway.
      if (!listeners.has(key)) return;
      marked.add(key);
      if (isBusy) return;
      isBusy = true;
      schedule(frame);
      queueMicrotask(() => notify(take()));
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

/**
 * Runs a task in the next animation frame. A hidden page gets no frames, but its title and favicon must still update,
 * so a timer runs the task instead, also if the page is hidden while it waits.
 */
export function nextFrame(task: () => void): void {
  let done = false;
  const run = (): void => {
    if (done) return;
    done = true;
    task();
  };
  if (document.visibilityState === 'visible') requestAnimationFrame(run);
  setTimeout(run, 250);
}
