export type EmissionTimer = {
  /** Call after anything that may change what is due. */
  schedule(): void;
  stop(): void;
};

export type EmissionTimerOptions = {
  /** When the next waiting text is due, if any waits. */
  readonly nextDue: () => number | null;
  readonly tick: (at: number) => void;
  readonly now: () => number;
  readonly latencyMs: number;
};

/** One timer per session, for the moment the next waiting text is due. */
export function createEmissionTimer({ nextDue, tick, now, latencyMs }: EmissionTimerOptions): EmissionTimer {
  let timer: NodeJS.Timeout | undefined;
  return {
    schedule() {
      clearTimeout(timer);
      const due = nextDue();
      if (due === null) return;
      // The clock may change meanwhile: never wait longer than `latencyMs`, and never tick with a time before `due`.
      const waitMs = Math.min(Math.max(0, due - now()), latencyMs);
      timer = setTimeout(() => tick(Math.max(due, now())), waitMs);
      timer.unref();
    },
    stop: () => clearTimeout(timer),
  };
}
