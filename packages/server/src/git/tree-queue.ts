/** One task after another for each key. A task that fails does not stop those behind it. */
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
    /** Nothing runs or waits. */
    isIdle: (): boolean => tails.size === 0,
  };
}
export type Queues = ReturnType<typeof createQueues>;

/**
 * Like a queue, but a task that waits and has not begun answers for all who ask for the same meanwhile. One that runs
 * already answers nobody new: what it saw may be older than the question.
 */
export function createSharedReads(queues: Queues) {
  const waiting = new Map<string, Promise<unknown>>();
  return <T>(key: string, name: string, read: () => Promise<T>): Promise<T> => {
    const id = `${key}\n${name}`;
    const known = waiting.get(id);
    // The name says what is read, so all who share a read expect the same type.
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
