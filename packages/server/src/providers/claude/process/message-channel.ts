/** Messages that wait to be read by one reader; open for as long as the session's process lives. */
export type MessageChannel<T> = AsyncIterable<T> & {
  push(message: T): void;
  close(): void;
};

export function createMessageChannel<T>(): MessageChannel<T> {
  const waiting: T[] = [];
  let wake: (() => void) | undefined;
  let closed = false;
  return {
    push(message) {
      waiting.push(message);
      wake?.();
    },
    close() {
      closed = true;
      wake?.();
    },
    async *[Symbol.asyncIterator]() {
      while (true) {
        const next = waiting.shift();
        if (next !== undefined) yield next;
        else if (closed) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
