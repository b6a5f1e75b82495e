/**
 * The one queue between a session and the input of its agent. A message added waits until it is released; one that is
 * pushed may be read at once, before those that wait.
 */
export type MessageQueue<T> = {
  readonly hasWaiting: boolean;
  add(message: T): void;
  push(message: T): void;
  /** Lets the oldest message that waits be read, and returns it. */
  release(): T | undefined;
  /** Empties the queue; returns the messages that were never released. */
  clear(): readonly T[];
  /** For one process: a process that has ended must not take what is meant for the next one. */
  openReader(): MessageReader<T>;
};

export type MessageReader<T> = AsyncIterable<T> & {
  /** Ends the reading, after the messages released so far. */
  close(): void;
};

export function createMessageQueue<T>(): MessageQueue<T> {
  const messages: T[] = [];
  /** That many of the oldest may be read. */
  let released = 0;
  let wake = (): void => {};

  const openReader = (): MessageReader<T> => {
    let closed = false;
    return {
      close() {
        closed = true;
        wake();
      },
      async *[Symbol.asyncIterator]() {
        while (true) {
          const next = released > 0 ? messages.shift() : undefined;
          if (next !== undefined) {
            released -= 1;
            yield next;
          } else if (closed) return;
          else await new Promise<void>((resolve) => (wake = resolve));
        }
      },
    };
  };

  return {
    get hasWaiting() {
      return messages.length > released;
    },
    add: (message) => void messages.push(message),
    push(message) {
      messages.splice(released, 0, message);
      released += 1;
      wake();
    },
    release() {
      const next = messages[released];
      if (next === undefined) return undefined;
      released += 1;
      wake();
      return next;
    },
    clear() {
      const unreleased = messages.splice(0).slice(released);
      released = 0;
      return unreleased;
    },
    openReader,
  };
}
