export type Mailbox = {
  /** Runs when everything before it is done; the next one waits for its promise. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Runs at once when nothing is under way, else in its place. Never throws to its caller. */
  post(task: () => void): void;
  /** Nothing runs from now on: what is posted is dropped, what was to run is refused with this error. */
  close(reason: Error): void;
};

/**
 * One thing at a time for one session, in order of arrival: a decision is written before the next one is made, and
 * what the agent says meanwhile waits its turn. The usual case, nothing under way, costs no promise.
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
      // Busy while it runs: what the task itself sets going must not begin in the middle of it.
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
