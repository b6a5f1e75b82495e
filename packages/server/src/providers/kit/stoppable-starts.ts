import { ProviderError } from '../provider-error.ts';

/** Starts of processes that are stopped when the server stops, so an agent that hangs can't delay that. */
export type StoppableStarts = {
  /** The signal aborts when the server stops. Each start has its own, because a shared one would keep every process. */
  run<T>(start: (signal: AbortSignal) => Promise<T>): Promise<T>;
  stopAll(): void;
};

export function createStoppableStarts(): StoppableStarts {
  const running = new Set<AbortController>();
  let isStopped = false;
  return {
    async run(start) {
      const stop = new AbortController();
      if (isStopped) stop.abort();
      running.add(stop);
      try {
        return await start(stop.signal);
      } catch (error) {
        if (!stop.signal.aborted) throw error;
        throw new ProviderError('SESSION_CREATE_FAILED', 'The server is shutting down.', error);
      } finally {
        running.delete(stop);
      }
    },
    stopAll() {
      isStopped = true;
      for (const stop of running) stop.abort();
    },
  };
}
