/**
 * The only queue between a session and its agent's input. An added message waits until it is released; a pushed one can
 * be read immediately, before waiting ones.
 */
export type MessageQueue<T> = {
  readonly hasWaiting: boolean;
  add(message: T): void;
  push(message: T): void;
  /** Lets the oldest waiting message be read, and returns it. */
  release(): T | undefined;
  /** Empties the queue; returns the messages that were never released. */
  clear(): readonly T[];
  /** For one process: an ended process must not take messages meant for the next one. */
  openReader(): MessageReader<T>;
};

export type MessageReader<T> = AsyncIterable<T> & {
  /** Ends the reading, after the messages released so far. */
  close(): void;
};

export function createMessageQueue<T>(): MessageQueue<T> {
  const messages: T[] = [];
  /** How many of the oldest messages may be read. */
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
