export type RequestGate = {
  /** A request arrived. */
  received(): void;
  /** Waits for a slot; the slot is kept until the answer was written. */
  enter(requestId: unknown): Promise<void>;
  /** Admits a request that waits for a user or a program. False when there are too many of them. */
  wait(): boolean;
  waited(): void;
  /** The agent's input has accepted the answer. */
  answered(requestId: unknown): void;
  /** Too many requests are unanswered: nothing more should be read from this agent. */
  readonly isFull: boolean;
};

/** Each may hold a file and its answer in memory. */
const mostServed = 2;
const mostWaiting = 256;
const mostUnanswered = 64;

/** Holds back an agent that asks faster than it reads our answers. */
export function createRequestGate(): RequestGate {
  const waiting: (() => void)[] = [];
  /** Ids are the agent's own and may repeat. */
  const serving = new Map<unknown, number>();
  let served = 0;
  let unanswered = 0;
  let waitingForOthers = 0;

  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else served -= 1;
  };

  return {
    received() {
      unanswered += 1;
    },
    async enter(requestId) {
      if (served < mostServed) served += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      serving.set(requestId, (serving.get(requestId) ?? 0) + 1);
    },
    wait() {
      if (waitingForOthers >= mostWaiting) return false;
      waitingForOthers += 1;
      unanswered -= 1;
      return true;
    },
    waited() {
      waitingForOthers -= 1;
      unanswered += 1;
    },
    answered(requestId) {
      unanswered = Math.max(0, unanswered - 1);
      const count = serving.get(requestId);
      if (count === undefined) return;
      if (count > 1) serving.set(requestId, count - 1);
      else serving.delete(requestId);
      leave();
    },
    get isFull() {
      return unanswered > mostUnanswered;
    },
  };
}
