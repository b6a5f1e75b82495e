export type Mailbox = {
  /** Runs when everything before it is done; the next task waits for its promise. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Runs immediately when idle, otherwise in order. Never throws to its caller. */
  post(task: () => void): void;
  /** Nothing runs from now on: posted tasks are dropped, others are rejected with this error. */
  close(reason: Error): void;
};

/**
 * Runs one session's tasks one at a time, in order of arrival: a decision is written before the next one is made, and
 * the agent's events wait their turn. The usual case, an idle mailbox, costs no promise.
 */
export function createMailbox(onError: (error: unknown) => void): Mailbox {
  const waiting: (() => Promise<void> | void)[] = [];
  let busy = false;
  let closed: Error | null = null;

  const attempt = (task: () => void) => {
    try {
      task();
    } catch (error) {
      onError(error);
    }
  };

  const drain = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      try {
        await next();
      } catch (error) {
        onError(error);
      }
    }
    busy = false;
  };

  const start = () => {
    if (busy) return;
    busy = true;
    void drain();
  };

  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        waiting.push(() => (closed ? reject(closed) : task().then(resolve, reject)));
        start();
      }),
    post(given) {
      const task = () => (closed ? undefined : given());
      if (busy) {
        waiting.push(task);
        return;
      }
      // Busy while it runs: tasks it triggers must not start in the middle of it.
      busy = true;
      attempt(task);
      if (waiting.length > 0) void drain();
      else busy = false;
    },
    close(reason) {
      closed = reason;
    },
  };
}
