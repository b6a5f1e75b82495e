const dayMs = 24 * 60 * 60 * 1000;

/** Does something a minute after the start, when whoever started the server has what they came for, and then once a day. */
export function everyDay(task: () => Promise<unknown>, onError: (error: unknown) => void): { stop(): void } {
  let isRunning = false;
  const run = (): void => {
    if (isRunning) return;
    isRunning = true;
    task()
      .catch(onError)
      .finally(() => (isRunning = false));
  };
  const first = setTimeout(run, 60_000).unref();
  const daily = setInterval(run, dayMs).unref();
  return {
    stop() {
      clearTimeout(first);
      clearInterval(daily);
    },
  };
}
