import { setTimeout as wait } from 'node:timers/promises';

/** An agent takes a message up in this time; what it does then takes longer than what we do. */
const agentFirstMs = 250;

export type RecordWait = {
  /** Nobody waits any more: what is recorded from now on is not what was there before. */
  readonly isOver: boolean;
  /** The folder is recorded, or is not going to be. */
  end(): void;
  /** Resolves with the end, or some time after this was first asked: nothing is late until somebody waits. */
  ready(): Promise<void>;
  /** Leaves the processors to the agent while it takes the message up, unless the record is needed before. */
  agentFirst(): Promise<void>;
  /** The record is needed: nothing of it waits for a better moment any more. */
  hurry(): void;
};

/** How long a message waits for the record of its folder, and the record for the agent. */
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
