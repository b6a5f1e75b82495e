import type { ChangeCount, RunningWork, UpsertObject } from '@liminal/contracts';
import type { Fact } from '@liminal/domain/session/fact';
import {
  changeCountOf,
  noWork,
  runningWorkOf,
  workAfterFact,
  workAfterItem,
} from '@liminal/domain/session/running-work';

export type WorkTrackerDeps = {
  /** Updates the session's summary. */
  readonly publish: () => void;
  /** Runs a task in order with the session's other tasks. */
  readonly post: (task: () => void) => void;
};

export type WorkTracker = {
  facts(facts: readonly Fact[]): void;
  item(upsert: UpsertObject): void;
  running(): RunningWork | undefined;
  changed(): ChangeCount | undefined;
  stop(): void;
};

const everyMs = 1_000;

/** Follows the running turn's work. An agent makes many calls a second: lists get the newest once a second. */
export function createWorkTracker({ publish, post }: WorkTrackerDeps): WorkTracker {
  let work = noWork;
  let timer: NodeJS.Timeout | null = null;
  let isStale = false;

  const due = (): void => {
    timer = null;
    if (isStale) show();
  };
  const show = (): void => {
    isStale = false;
    timer ??= setTimeout(() => post(due), everyMs).unref();
    publish();
  };

  return {
    facts(facts) {
      for (const fact of facts) work = workAfterFact(work, fact);
    },
    item(upsert) {
      const before = work.doing;
      work = workAfterItem(work, upsert);
      if (work.doing === before) return;
      if (timer) isStale = true;
      else show();
    },
    running: () => runningWorkOf(work),
    changed: () => changeCountOf(work),
    stop() {
      if (timer) clearTimeout(timer);
      timer = null;
      isStale = false;
    },
  };
}
