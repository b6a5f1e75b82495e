/** Runs the tasks of each key one after another. A failed task doesn't stop those behind it. */
export function createQueues() {
  const tails = new Map<string, Promise<unknown>>();
  return {
    run<T>(key: string, task: () => Promise<T>): Promise<T> {
      const result = (tails.get(key) ?? Promise.resolve()).then(task);
      const tail = result.then(
        () => {},
        () => {},
      );
      tails.set(key, tail);
      void tail.then(() => tails.get(key) === tail && tails.delete(key));
      return result;
    },
    /** Nothing is running or waiting. */
    isIdle: (): boolean => tails.size === 0,
  };
}
export type Queues = ReturnType<typeof createQueues>;

/**
 * Like a queue, but a waiting task serves all callers that ask for the same thing. A running task serves no new
 * callers: what it read may be older than their request.
 */
export function createSharedReads(queues: Queues) {
  const waiting = new Map<string, Promise<unknown>>();
  return <T>(key: string, name: string, read: () => Promise<T>): Promise<T> => {
    const id = `${key}\n${name}`;
    const known = waiting.get(id);
    // The name identifies what is read, so all callers of a shared read expect the same type.
    if (known) return known as Promise<T>;
    const result = queues.run(key, () => {
      waiting.delete(id);
      return read();
    });
    waiting.set(id, result);
    return result;
  };
}
export type SharedReads = ReturnType<typeof createSharedReads>;
