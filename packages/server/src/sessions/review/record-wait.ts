import { setTimeout as wait } from 'node:timers/promises';

/** An agent accepts a message within this time; its next steps take longer than ours. */
const agentFirstMs = 250;

export type RecordWait = {
  /** The wait has ended: what is recorded from now on may include changes of the turn. */
  readonly isOver: boolean;
  /** The folder is recorded, or won't be. */
  end(): void;
  /** Resolves at the end, or some time after the first call: the time limit starts when somebody first waits. */
  ready(): Promise<void>;
  /** Leaves the CPU to the agent while it accepts the message, unless the record is needed earlier. */
  agentFirst(): Promise<void>;
  /** The record is needed now: stops delaying it. */
  hurry(): void;
};

/** How long a message waits for its folder to be recorded, and how long recording waits for the agent. */
export function createRecordWait(mostMs: number): RecordWait {
  const recorded = Promise.withResolvers<void>();
  const needed = Promise.withResolvers<void>();
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    isOver = true;
    clearTimeout(timer);
    recorded.resolve();
  };
  return {
    get isOver() {
      return isOver;
    },
    end,
    ready() {
      if (!isOver) timer ??= setTimeout(end, mostMs);
      return recorded.promise;
    },
    agentFirst: () => Promise.race([wait(agentFirstMs, undefined, { ref: false }), needed.promise]),
    hurry: needed.resolve,
  };
}
